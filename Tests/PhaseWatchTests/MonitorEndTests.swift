import Glibc
import PhaseWatch
import TestDesktop
import Testing

/// The end of monitors of a real display, and what remains afterwards.
@Suite(.serialized) struct MonitorEndTests {
    @Test func aLostDisplayIsAnErrorForWhoReadsThePresent() throws {
        let display = try MonitoredDisplay()
        let monitor = try PhaseMonitor(display.options())
        try display.server.crash()
        #expect(waitUntil { (try? monitor.snapshot()) == nil })
        #expect(throws: PhaseMonitor.Failure.displayLost(display.server.name)) {
            try monitor.phase(of: .all)
        }
    }

    /// A monitor closes its connection to the display, whichever way it ends.
    @Test(arguments: ["close", "deinit"])
    func leavesNothingBehind(_ way: String) throws {
        let display = try MonitoredDisplay()
        _ = try display.show("Alpha", at: 0)
        _ = try PhaseMonitor(display.options())
        #expect(waitUntil { Self.sockets(of: display) == 1 })
        var monitor: PhaseMonitor? = try PhaseMonitor(display.options())
        #expect(waitUntil { Self.sockets(of: display) == 2 })
        if way == "close" { monitor?.close() } else { monitor = nil }
        #expect(waitUntil { Self.sockets(of: display) == 1 })
        withExtendedLifetime(monitor) {}
    }

    @Test func afterTheEndThereIsNothing() throws {
        let display = try MonitoredDisplay()
        _ = try display.show("Alpha", at: 0)
        let monitor = try PhaseMonitor(display.options())
        #expect(try monitor.phase(of: .application("alpha")) == .inactive)
        monitor.close()
        #expect(try monitor.phase(of: .application("alpha")) == nil)
        #expect(try monitor.snapshot().isEmpty)
        let log = Log()
        _ = monitor.onChange(of: .application("alpha"), initial: true) { log.add("\($0.text)→\($1.text)") }
        #expect(log.all == ["nothing→nothing"])
    }
}

extension MonitorEndTests {
    /// Returns the number of connections of this process to a display.
    private static func sockets(of display: MonitoredDisplay) -> Int {
        (0..<1024).count { descriptor in
            var address = sockaddr_un()
            var size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let code = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getpeername(Int32(descriptor), $0, &size)
                }
            }
            guard code == 0, address.sun_family == AF_UNIX else { return false }
            let path = withUnsafeBytes(of: address.sun_path) { bytes in
                String(decoding: bytes.drop { $0 == 0 }.prefix { $0 != 0 }, as: UTF8.self)
            }
            return path.hasSuffix("/X\(display.server.name.dropFirst())")
        }
    }
}
