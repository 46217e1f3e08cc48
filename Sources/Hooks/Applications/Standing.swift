import System

/// Whether an application is frozen.
enum Standing: Hashable, Sendable {
    /// Nothing stops it.
    case free
    /// What stops it is on disk, or about to be. It runs, for a call that it answers, or is being frozen.
    case ready(Stops)
    /// Some of its processes may be stopped. So many times, further ones were found meanwhile.
    case partial(Stops, rounds: Int)
    /// It is frozen until it is woken; nil if it is not woken by time.
    case frozen(Stops, wake: Duration?)

    /// What a freeze stops: at least one hold.
    struct Stops: Hashable, Sendable {
        private(set) var holds: [Hold]

        init(_ hold: Hold) { holds = [hold] }

        mutating func add(_ hold: Hold) {
            if case .stopped(let new) = hold, let index = holds.firstIndex(where: { !$0.stopped.isEmpty }) {
                let former = holds[index].stopped
                holds[index] = .stopped(former + new.filter { !former.contains($0) })
            } else if !holds.contains(hold) {
                holds.append(hold)
            }
        }
    }

    /// What these holds stop is frozen, if there are any.
    init(frozenBy holds: [Hold]) {
        self = .free
        for hold in holds { add(hold) }
        freeze()
    }

    private var stops: Stops? {
        switch self {
        case .free: nil
        case .ready(let stops), .partial(let stops, _), .frozen(let stops, _): stops
        }
    }

    var holds: [Hold] { stops?.holds ?? [] }

    /// Whether processes may be stopped, as far as a freeze was answered.
    var isStopped: Bool {
        switch self {
        case .free, .ready: false
        case .partial, .frozen: true
        }
    }

    /// Whether all processes are stopped.
    var isFrozen: Bool { if case .frozen = self { true } else { false } }

    /// When it is woken; nil unless it is frozen and woken by time.
    var wake: Duration? {
        get { if case .frozen(_, let wake) = self { wake } else { nil } }
        set { if case .frozen(let stops, _) = self { self = .frozen(stops, wake: newValue) } }
    }

    var rounds: Int { if case .partial(_, let rounds) = self { rounds } else { 0 } }

    /// Adds what a freeze is to stop, too.
    mutating func add(_ hold: Hold) {
        switch self {
        case .free: self = .ready(Stops(hold))
        case .ready(var stops):
            stops.add(hold)
            self = .ready(stops)
        case .partial(var stops, let rounds):
            stops.add(hold)
            self = .partial(stops, rounds: rounds + 1)
        case .frozen(var stops, _):
            stops.add(hold)
            self = .partial(stops, rounds: 1)
        }
    }

    /// A freeze was begun and not finished.
    mutating func stopInPart() { if let stops { self = .partial(stops, rounds: rounds) } }

    mutating func freeze() { if let stops { self = .frozen(stops, wake: nil) } }

    /// Lifts a freeze that goes on at once.
    mutating func lift() { if let stops { self = .ready(stops) } }
}
