import Glibc
import System
import TestDesktop
import Testing

@testable import Service

@Suite struct ServiceManagerTests {
    /// Returns the message that waits at a socket; nil if there is none.
    private static func message(at socket: Descriptor) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket.number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    @Test func aManagerThatDoesNotReadGetsTheLatestStatesLaterAndInOrder() throws {
        let folder = try TemporaryFolder()
        let socket = try Descriptor.localSocket(SOCK_DGRAM)
        let address = SystemString(folder("notify"))
        try #require(withSocketAddress(address) { bind(socket.number, $0, $1) } == 0)
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": folder("notify")]))
        manager.join(loop)
        var sent = 0
        while manager.hasRoom {
            manager.send(["STATUS=\(sent)"], isLatest: false)
            sent += 1
        }
        manager.send(["READY=1"], isLatest: false)
        for state in ["RELOADING=1", "READY=1"] { manager.send([state], isLatest: state != "READY=1") }
        var read: [String] = []
        loop.setTimer(Clock.now() + .patience)
        repeat {
            while let message = Self.message(at: socket) { read.append(message) }
        } while try !manager.hasRoom && loop.wait() == .ready
        while let message = Self.message(at: socket) { read.append(message) }
        // The one that found no room is not the latest.
        #expect(read == (0..<sent - 1).map { "STATUS=\($0)" } + ["RELOADING=1", "READY=1"])
        // Nothing is watched any longer.
        loop.setTimer(Clock.now() + .milliseconds(20))
        #expect(try loop.wait() == .timer)
    }
}
