/// A session bus for one test.
public final class SessionBus {
    private let daemon: Program
    public let environment: [String: String?]

    public init() throws {
        daemon = try Program(
            "dbus-daemon", ["--session", "--nofork", "--print-address=1"], package: "dbus-daemon")
        guard let address = try daemon.output.next() else {
            throw Failure("dbus-daemon ended: \(try daemon.errors.rest())")
        }
        environment = ["DBUS_SESSION_BUS_ADDRESS": address]
    }

    /// Sends the bus a signal, to stop or continue it.
    public func send(_ signal: Int32) { daemon.send(signal) }

    /// Runs a program on this session bus, and returns its stdout.
    public func ask(_ name: String, _ arguments: [String], package: String = "") throws -> String {
        try Program.run(name, arguments, package: package, environment: environment).output
            .joined(separator: "\n")
    }
}
