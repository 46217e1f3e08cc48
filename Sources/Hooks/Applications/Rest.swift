import System

extension Application {
    /// Why it is not frozen although hooks want that.
    enum Rest: Hashable, Sendable {
        /// It is wanted, spoken to, or awake for a while.
        case until(Duration, because: String, isQuiet: Bool)
        /// It answers a call that only reads.
        case glance(since: Duration)
        /// The user has thawed it. It stays thawed until its phase begins anew.
        case forbidden

        /// Whether the thaw and the next freeze are not reported.
        var isQuiet: Bool {
            switch self {
            case .until(_, _, let isQuiet): isQuiet
            case .glance: true
            case .forbidden: false
            }
        }
    }

    /// The time limit of an answer to a call, and the least time that a glance counts for.
    static let glance = (longest: Duration.seconds(1), shortest: Duration.milliseconds(10))
    /// An application is awake for calls for a tenth of the time.
    private static let glanceShare = 9
    static let mostCalls = 256

    /// Ends a rest that is due, or begins one for a call or a wake.
    ///
    /// - Parameter wakes: The wakes of the hooks that freeze the application.
    /// - Returns: Whether a glance was too short for the answer to a call.
    mutating func advanceRest(at now: Duration, _ wakes: [Wake]) -> Bool {
        switch rest {
        case .until(let end, _, _): if end <= now { rest = nil }
        case .glance(let since):
            let isLong = since + Self.glance.longest <= now
            guard calls.isEmpty || isLong else { break }
            nextGlance = now + max(now - since, Self.glance.shortest) * Self.glanceShare
            rest = nil
            return isLong && !calls.isEmpty
        case nil where !held.isFrozen: calls = []
        case nil:
            wake = wakes.isEmpty ? nil : wake ?? wakes.map { $0.next(after: now) }.min()
            if let wake, wake <= now, let time = wakes.map(\.duration).max() {
                rest = .until(now + time, because: "awake for \(time.text)", isQuiet: true)
            } else if !calls.isEmpty && nextGlance <= now {
                rest = .glance(since: now)
            }
        case .forbidden: break
        }
        return false
    }

    /// The times at which something is due.
    var times: [Duration] {
        var times = [excepted?.again, step == .settled ? undo?.due : nil]
        if held.isFrozen { times += [wake, thaw?.due] }
        switch rest {
        case .until(let end, _, _): times.append(end)
        case .glance(let since): times.append(since + Self.glance.longest)
        case nil where held.isFrozen && !calls.isEmpty: times.append(nextGlance)
        case .forbidden, nil: break
        }
        return times.compactMap(\.self)
    }
}

/// A call on a message bus that waits for its answer.
public struct BusCall: Hashable, Sendable {
    public var sender: String
    public var serial: UInt32

    public init(sender: String, serial: UInt32) { (self.sender, self.serial) = (sender, serial) }
}
