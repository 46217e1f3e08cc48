import System

/// The state of a hook, for itself or for one subject.
public struct HookStatus: Hashable, Sendable {
    public enum State: String, Sendable {
        /// It reacts to changes, and has nothing to do now.
        case ready
        /// It reacts to nothing, until it is resumed.
        case paused
        /// It reacts to nothing: the machine is not on the power supply that it names.
        case unpowered
        /// For `after` to pass, or for its turn.
        case waiting
        /// `unless` runs.
        case checking
        case entering, entered, leaving, running
        /// Something kept it from reacting.
        case excepted
        case failed
    }

    public var hook: String
    /// What it is for, as lines tell it; nil for the hook itself.
    public var subject: String?
    public var application: String?
    public var state: State
    public var since: Timestamp?
    public var until: Timestamp?
    /// The built-in reactions that are in force.
    public var reactions: [String] = []
    /// The systemd unit that is frozen.
    public var unit: String?
    /// How many processes are frozen.
    public var processes: Int?
    /// Why it is so.
    public var reason: String?

    init(_ hook: String, _ state: State, of change: (path: String, application: String)? = nil) {
        (self.hook, self.state) = (hook, state)
        (subject, application) = (change?.path, change?.application)
    }

    var fields: [String] {
        [
            hook, state.rawValue, subject ?? "", application ?? "", since?.field ?? "", until?.field ?? "",
            reactions.joined(separator: " "), unit ?? "", processes.map { String($0) } ?? "", reason ?? "",
        ]
    }

    /// nil for what makes no sense. Fields that a newer version adds are left out.
    init?(fields: [String]) {
        guard fields.count >= 10, let state = State(rawValue: fields[1]) else { return nil }
        func field(_ index: Int) -> String? { fields[index].isEmpty ? nil : fields[index] }
        (hook, self.state, subject, application) = (fields[0], state, field(2), field(3))
        (since, until) = (Timestamp(field: fields[4]), Timestamp(field: fields[5]))
        reactions = fields[6].split(separator: " ").map { String($0) }
        (unit, processes, reason) = (field(7), Int(fields[8]), field(9))
    }
}

extension Timestamp {
    /// As a word of the protocol: seconds, and nanoseconds.
    var field: String { "\(seconds).\(nanoseconds)" }

    /// nil for what is no such word.
    init?(field: String) {
        let parts = field.split(separator: ".").compactMap { Int($0) }
        guard parts.count == 2, parts[0] >= 0, (0..<1_000_000_000).contains(parts[1]) else { return nil }
        self.init(seconds: parts[0], nanoseconds: parts[1])
    }

    /// That moment of CLOCK_MONOTONIC, as the calendar has it while it is not set.
    static func of(_ moment: Duration) -> Timestamp {
        let now = Timestamp.now()
        let (whole, rest) = (now.nanoseconds + Int((moment - Clock.now()).nanoseconds)).quotientAndRemainder(
            dividingBy: 1_000_000_000)
        let seconds = now.seconds + whole
        return rest < 0
            ? Timestamp(seconds: seconds - 1, nanoseconds: rest + 1_000_000_000)
            : Timestamp(seconds: seconds, nanoseconds: rest)
    }
}
