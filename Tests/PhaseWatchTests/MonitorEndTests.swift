import Glibc
import PhaseWatch
import TestDesktop
import Testing

/// The end of monitors of a real display, and what remains afterwards.
@Suite(.serialized) struct MonitorEndTests {
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
