import CLinux

/// Whoever started this process as a service and wants to know its state, in the words of sd_notify(3).
public struct ServiceManager {
    static let variable = "NOTIFY_SOCKET"
    /// What comes to be known too late for a manager that is stuck is no reason to stand still for long.
    private static let patience: UInt32 = 1

    private let address: SystemString

    /// - Parameter environment: The variables of this process; nil if nobody asks in them.
    public init?(environment: Environment) {
        guard let address = environment[Self.variable] else { return nil }
        self.address = address
    }

    /// Sends assignments, each NAME=VALUE. A manager that cannot be told is no fault of what it manages.
    ///
    /// - Parameter isState: It counts, and is worth a short wait.
    func tell(_ assignments: [String], isState: Bool) {
        _ = linux_notify(address.cString, assignments.joined(separator: "\n"), isState ? Self.patience : 0)
    }
}
