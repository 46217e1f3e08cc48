import Glibc

/// A screen saver without a window, which says on a session bus whether it is active.
public final class FakeScreenSaver {
    private static let script = """
        import signal, sys, time
        from jeepney import DBusAddress, HeaderFields, MessageType, new_method_return, new_signal
        from jeepney.bus_messages import message_bus
        from jeepney.io.blocking import open_dbus_connection

        name, delay = sys.argv[1], float(sys.argv[2])
        path = "/" + name.replace(".", "/")
        is_active = delay > 0
        bus = open_dbus_connection()
        bus.send_and_get_reply(message_bus.RequestName(name))

        def change(number, frame):
            global is_active
            is_active = number == signal.SIGUSR1
            bus.send(new_signal(DBusAddress(path, interface=name), "ActiveChanged", "b", (is_active,)))

        for number in (signal.SIGUSR1, signal.SIGUSR2): signal.signal(number, change)
        print("runs", flush=True)
        while True:
            call = bus.receive()
            fields = call.header.fields
            if call.header.message_type == MessageType.method_call:
                is_known = fields[HeaderFields.path] == path and fields[HeaderFields.member] == "GetActive"
                assert is_known, fields
                time.sleep(delay)
                bus.send(new_method_return(call, "b", (is_active,)))
        """

    private let program: Program

    /// - Parameters:
    ///   - name: The name on the bus, which is that of the interface, too.
    ///   - delay: The seconds that each answer takes; one that is late is active from the start.
    public init(_ name: String, on bus: SessionBus, delay: Double = 0) throws {
        program = try Program(
            "/usr/bin/python3", ["-c", Self.script, name, "\(delay)"], environment: bus.environment)
        guard try program.output.next() == "runs" else {
            throw Failure("install python3-jeepney: \(try program.errors.rest())")
        }
    }

    public func setActive(_ isActive: Bool) { program.send(isActive ? SIGUSR1 : SIGUSR2) }

    public func end() throws { try program.end() }
}
