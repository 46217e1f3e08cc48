/// The paused hooks, and the ends of their pauses.
public struct Pauses: Hashable, Sendable {
    public struct Pause: Hashable, Sendable {
        /// The time since boot, as `Clock.sinceBoot()`: an hour is an hour even if the machine sleeps. nil for a pause until
        /// the hook is resumed.
        public var end: Duration?
    }

    /// The pause of all hooks that are not in `named`, including hooks added later.
    private var all: Pause?
    /// The pauses of single hooks; nil for a hook that was resumed while all are paused.
    private var named: [String: Pause?] = [:]

    public subscript(hook: String) -> Pause? { named[hook] ?? all }

    public init() {}

    /// The next time at which a pause ends.
    public var next: Duration? {
        all == nil && named.isEmpty ? nil : ([all] + named.values).compactMap { $0?.end }.min()
    }

    /// - Parameter names: The hooks; empty for all.
    public mutating func pause(_ names: [String], until end: Duration?) {
        if names.isEmpty { (all, named) = (Pause(end: end), [:]) }
        for name in names { named[name] = .some(Pause(end: end)) }
    }

    /// - Parameter names: The hooks; empty for all.
    public mutating func resume(_ names: [String]) {
        if names.isEmpty { self = Pauses() }
        for name in names { named[name] = all == nil ? nil : .some(nil) }
    }

    /// Removes hooks that no longer exist.
    public mutating func keep(_ names: [String]) {
        named = named.filter { names.contains($0.key) }
    }

    /// Removes pauses that have ended.
    ///
    /// - Returns: What was paused: `all hooks`, or a hook in quotes.
    public mutating func expire(at now: Duration) -> [String] {
        func isOver(_ pause: Pause?) -> Bool { pause?.end.map { $0 <= now } ?? false }
        var ended = named.filter { isOver($0.value) }.keys.map(\.quoted).sorted()
        if isOver(all) {
            all = nil
            named = named.filter { $0.value != nil }
            ended.append("all hooks")
        }
        for (name, pause) in named where isOver(pause) { named[name] = all == nil ? nil : .some(nil) }
        return ended
    }
}
