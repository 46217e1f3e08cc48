/// The answer to a question about an application.
public struct Findings: Sendable {
    /// The exceptions that hold, with descriptions. The key is nil for what keeps any application from being frozen,
    /// such as an open menu.
    public var found: [Exception?: String] = [:]
    /// The program that it has just started, which postpones the freeze; nil for none.
    public var newcomer: String?
    /// Why the application must not be touched.
    public var refusal: String?
    /// The other applications with windows of its processes.
    public var companions: Set<String> = []
    /// What a freeze would stop; nil if it cannot be frozen.
    public var freeze: Hold?
    /// What undoes the other reactions.
    public var limits: [Hold] = []
    /// What the system lacks for reactions.
    public var lacks: [BuiltIn: String] = [:]
    public var faults: [ReactionWords] = []
    /// Remarks that are reported once.
    public var remarks: [String] = []

    public init() {}
}
