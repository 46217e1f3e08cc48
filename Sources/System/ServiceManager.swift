import CLinux

/// The service manager that started this process, as sd_notify(3) describes it.
public struct ServiceManager {
    public static let variable = "NOTIFY_SOCKET"
    /// The seconds to wait for a manager that does not read.
    private static let patience: UInt32 = 1

    private let address: SystemString

    /// - Parameter environment: The environment of this process; the result is nil if it names no socket.
    public init?(environment: Environment) {
        guard let address = environment[Self.variable] else { return nil }
        self.address = address
    }

    /// Sends assignments of the form NAME=VALUE. Failures are ignored: they do not keep hooks from running.
    ///
    /// - Parameter isState: Whether the message is worth a short wait.
    public func send(_ assignments: [String], isState: Bool) {
        _ = linux_notify(address.cString, assignments.joined(separator: "\n"), isState ? Self.patience : 0)
    }
}
