import CLinux

/// The service manager that started this process, as sd_notify(3) describes it.
public struct ServiceManager {
    public static let variable = "NOTIFY_SOCKET"
    /// How many seconds a manager that does not read is waited for.
    private static let patience: UInt32 = 1

    private let address: SystemString

    /// - Parameter environment: The variables of this process; nil if nobody asks in them.
    public init?(environment: Environment) {
        guard let address = environment[Self.variable] else { return nil }
        self.address = address
    }

    /// Sends assignments, each NAME=VALUE. Failures are ignored: they do not keep hooks from running.
    ///
    /// - Parameter isState: It counts, and is worth a short wait.
    public func send(_ assignments: [String], isState: Bool) {
        _ = linux_notify(address.cString, assignments.joined(separator: "\n"), isState ? Self.patience : 0)
    }
}
