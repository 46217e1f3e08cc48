import System

/// Short thaws of frozen applications to answer read-only calls, for at most a tenth of the time: status bars query
/// players every second.
struct Glances {
    /// A call on the bus that waits for its answer.
    struct Call: Hashable {
        var sender: String
        var serial: UInt32
    }

    enum Act {
        case begin, end
        /// The application has not answered in time, and needs longer.
        case fail
    }

    private struct Glance {
        var calls: Set<Call> = []
        /// The time at which it was thawed; nil while it is frozen.
        var begun: Duration?
        /// The time before which it is not thawed again.
        var rest = Duration.zero
    }

    /// The time limit for an answer.
    static let longest = Duration.seconds(1)
    /// The minimum duration that a glance counts for: a glance costs more than the answer.
    static let shortest = Duration.milliseconds(10)
    private static let share = 9
    private static let mostCalls = 256

    private var glances: [String: Glance] = [:]

    /// When to call `advance`; nil for never.
    var next: Duration? {
        glances.values.compactMap { glance in
            glance.begun.map { $0 + Self.longest } ?? (glance.calls.isEmpty ? nil : glance.rest)
        }.min()
    }

    /// Adds a call to a frozen application.
    mutating func called(_ application: String, _ call: Call) {
        guard glances[application, default: Glance()].calls.count < Self.mostCalls else { return }
        glances[application, default: Glance()].calls.insert(call)
    }

    mutating func answered(_ application: String, _ call: Call) {
        glances[application]?.calls.remove(call)
    }

    /// Returns the applications to thaw now, and those whose time has ended.
    mutating func advance(at now: Duration) -> [(application: String, act: Act)] {
        var acts: [(application: String, act: Act)] = []
        for (application, var glance) in glances {
            if let begun = glance.begun, glance.calls.isEmpty || begun + Self.longest <= now {
                acts.append((application, glance.calls.isEmpty ? .end : .fail))
                glance = Glance(rest: now + max(now - begun, Self.shortest) * Self.share)
            } else if glance.begun == nil, !glance.calls.isEmpty, glance.rest <= now {
                acts.append((application, .begin))
                glance.begun = now
            }
            glances[application] = glance
        }
        return acts.sorted { $0.application < $1.application }
    }

    /// Forgets an application that is no longer frozen, or has been frozen again.
    mutating func forget(_ application: String) { glances[application] = nil }
}
