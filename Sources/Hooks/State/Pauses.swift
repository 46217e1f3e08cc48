/// Which hooks react to nothing for now, and until when.
public struct Pauses: Hashable, Codable {
    public struct Pause: Hashable, Codable {
        /// As `Clock.now()`; nil for as long as nobody resumes it.
        public var end: Duration?
    }

    /// Of all hooks that are not named, also of those to come.
    private var all: Pause?
    /// Of single hooks; nil for one that was resumed while all are paused.
    private var named: [String: Pause?] = [:]

    public subscript(hook: String) -> Pause? { named[hook] ?? all }

    public init() {}

    /// The next moment at which a pause ends.
    public var next: Duration? {
        all == nil && named.isEmpty ? nil : ([all] + named.values).compactMap { $0?.end }.min()
    }

    /// - Parameter names: Which hooks; none for all.
    public mutating func pause(_ names: [String], until end: Duration?) {
        if names.isEmpty { (all, named) = (Pause(end: end), [:]) }
        for name in names { named[name] = .some(Pause(end: end)) }
    }

    /// - Parameter names: Which hooks; none for all.
    public mutating func resume(_ names: [String]) {
        if names.isEmpty { self = Pauses() }
        for name in names { named[name] = all == nil ? nil : .some(nil) }
    }

    /// Forgets hooks that there are no longer.
    public mutating func keep(_ names: [String]) {
        named = named.filter { names.contains($0.key) }
    }

    /// Ends those whose time is over.
    ///
    /// - Returns: Whether there were any.
    public mutating func expire(at now: Duration) -> Bool {
        let old = self
        func isOver(_ pause: Pause?) -> Bool { pause?.end.map { $0 <= now } ?? false }
        if isOver(all) {
            all = nil
            named = named.filter { $0.value != nil }
        }
        for (name, pause) in named where isOver(pause) { named[name] = all == nil ? nil : .some(nil) }
        return self != old
    }
}
