import System

/// Whether an application is frozen. Each case holds what that state needs, and nothing else.
enum Standing: Hashable, Sendable {
    /// Nothing stops it.
    case free
    /// What stops it is on disk, or about to be. It runs, or is being frozen.
    case ready(Stops)
    /// Some of its processes may be stopped. So many times, further ones were found meanwhile.
    case partial(Stops, rounds: Int)
    /// It is frozen until it is woken; nil if it is not woken by time.
    case frozen(Stops, wake: Duration?)
    /// It runs since this time, to answer a call that only reads. What stops it stays on disk, so that it is frozen
    /// again at once.
    case glance(Stops, since: Duration)
    /// It could not be thawed, and may be frozen in part. It is thawed again at this time.
    case stuck(Stops, Retry)
    /// It was stuck, and is thawed again. Whether that has failed is known before the record is written.
    case released(Retry)

    /// What a freeze stops: at least one hold.
    struct Stops: Hashable, Sendable {
        private(set) var holds: [Hold]

        init(_ hold: Hold) { holds = [hold] }

        /// Returns nil if there are no holds.
        init?(_ holds: [Hold]) {
            guard let first = holds.first else { return nil }
            self.init(first)
            for hold in holds.dropFirst() { add(hold) }
        }

        mutating func add(_ hold: Hold) {
            if case .stopped(let new) = hold, let index = holds.firstIndex(where: { !$0.stopped.isEmpty }) {
                let former = holds[index].stopped
                holds[index] = .stopped(former + new.filter { !former.contains($0) })
            } else if !holds.contains(hold) {
                holds.append(hold)
            }
        }
    }

    private var stops: Stops? {
        switch self {
        case .free, .released: nil
        case .ready(let stops), .partial(let stops, _), .frozen(let stops, _), .glance(let stops, _),
            .stuck(let stops, _):
            stops
        }
    }

    var holds: [Hold] { stops?.holds ?? [] }

    /// Whether nothing stops it, nor is about to.
    var isFree: Bool { stops == nil }

    /// Whether processes may be stopped, as far as a freeze was answered.
    var isStopped: Bool {
        switch self {
        case .free, .ready, .glance, .released: false
        case .partial, .frozen, .stuck: true
        }
    }

    /// Whether it is frozen for the user: a glance lasts for a moment.
    var isInForce: Bool { isStopped || isGlance }

    var isGlance: Bool { if case .glance = self { true } else { false } }

    /// Whether a freeze was finished. What is stuck may be thawed in part since.
    var isFrozen: Bool {
        switch self {
        case .frozen, .stuck: true
        case .free, .ready, .partial, .glance, .released: false
        }
    }

    /// The next or the last attempt to thaw what is or was stuck.
    var retry: Retry? {
        switch self {
        case .stuck(_, let retry), .released(let retry): retry
        case .free, .ready, .partial, .frozen, .glance: nil
        }
    }

    var rounds: Int { if case .partial(_, let rounds) = self { rounds } else { 0 } }

    // MARK: Freezing

    /// Adds what a freeze is to stop, too.
    mutating func add(_ hold: Hold) {
        guard var stops else {
            self = .ready(Stops(hold))
            return
        }
        stops.add(hold)
        if case .partial(_, let rounds) = self {
            self = .partial(stops, rounds: rounds + 1)
        } else {
            self = .ready(stops)
        }
    }

    /// What an earlier process has frozen is frozen.
    mutating func restore(_ earlier: [Hold]) {
        if let stops = Stops(holds + earlier) { self = .frozen(stops, wake: nil) }
    }

    /// A freeze was begun and not finished.
    mutating func stopInPart() { if let stops { self = .partial(stops, rounds: rounds) } }

    mutating func freeze() { if let stops { self = .frozen(stops, wake: nil) } }

    // MARK: Thawing

    /// Lifts a freeze that goes on soon: what stops it stays on disk.
    mutating func lift() {
        switch self {
        case .partial(let stops, _), .frozen(let stops, _): self = .ready(stops)
        case .free, .ready, .glance, .stuck, .released: break
        }
    }

    /// Ends a freeze.
    mutating func thaw() { self = retry.map(Self.released) ?? .free }

    /// The thaw of what was stuck has succeeded.
    mutating func endRelease() { if case .released = self { self = .free } }

    /// What is stuck is thawed again now.
    mutating func hurry() {
        if case .stuck(let stops, let retry) = self { self = .stuck(stops, retry.now) }
    }

    /// It could not be thawed.
    mutating func notThawed(_ holds: [Hold], at now: Duration) {
        guard let stops = Stops(holds) else { return }
        self = .stuck(stops, Retry(after: retry, at: now))
    }
}
