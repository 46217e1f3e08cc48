import CLinux
import Glibc
import System
import TestDesktop
import Testing

@testable import Service

/// What waits at the sockets of a process: of this one.
@Suite struct SocketWatchTests {
    private let folder: TemporaryFolder
    private let listener: Descriptor
    private var path: String { folder("socket") }

    init() throws {
        folder = try TemporaryFolder()
        listener = try Descriptor("listen", linux_listen(folder("socket")))
    }

    private func connect() throws -> Descriptor { try Descriptor("connect", linux_connect(path, 1)) }

    private func accept() throws -> Descriptor { try Descriptor("accept", linux_accept(listener.number)) }

    @Test func aConnectionThatWaitsIsNoticedOnce() throws {
        var watch = SocketWatch()
        watch.add("emacs", [getpid()], at: .zero)
        #expect(watch.next == .seconds(1))
        #expect(watch.look(at: .seconds(1))["emacs"] == nil)
        let client = try connect()
        #expect(watch.look(at: .seconds(2)) == ["emacs": path])
        #expect(watch.look(at: .seconds(3)).isEmpty && watch.next == .seconds(4))
        withExtendedLifetime(client) {}
    }

    @Test func dataThatWaitsAtAnAcceptedConnectionIsNoticed() throws {
        let client = try connect()
        let server = try accept()
        try client.writeAll("socket", Array("before".utf8))
        var watch = SocketWatch()
        watch.add("mpv", [getpid()], at: .zero)
        #expect(watch.look(at: .seconds(1)).isEmpty)
        try client.writeAll("socket", Array("more".utf8))
        #expect(watch.look(at: .seconds(2)) == ["mpv": path])
        withExtendedLifetime(server) {}
    }

    @Test func itLooksForNoneThatIsFrozenNoLonger() {
        var watch = SocketWatch()
        watch.add("emacs", [getpid()], at: .zero)
        watch.keep(["other"])
        #expect(watch.next == nil && watch.look(at: .seconds(1)).isEmpty)
        // Process 0 has no sockets.
        watch.add("none", [0], at: .zero)
        #expect(watch.next == nil)
    }
}
