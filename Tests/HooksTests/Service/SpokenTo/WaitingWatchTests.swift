import Glibc
import System
import TestDesktop
import Testing

@testable import Service

/// Pending events at the sockets of a process, here of this one.
@Suite(.serialized) struct WaitingWatchTests {
    private let folder: TemporaryFolder
    private let listener: Descriptor
    private var path: String { folder("socket") }

    init() throws {
        folder = try TemporaryFolder()
        listener = try .listening(at: SystemString(folder("socket")))
    }

    private func connect() throws -> Descriptor { try .connected(to: SystemString(path), patience: 1) }

    private func accept() throws -> Descriptor { try listener.accept() }

    @Test func aConnectionThatWaitsIsNoticedOnce() throws {
        var watch = WaitingWatch()
        watch.add("emacs", [getpid()], roots: [], at: .zero)
        #expect(watch.next == .seconds(1))
        #expect(watch.look(at: .seconds(1))["emacs"] == nil)
        let client = try connect()
        #expect(watch.look(at: .seconds(2)) == ["emacs": .socket(path)])
        #expect(watch.look(at: .seconds(3)).isEmpty && watch.next == .seconds(4))
        withExtendedLifetime(client) {}
    }

    @Test func dataThatWaitsAtAnAcceptedConnectionIsNoticed() throws {
        let client = try connect()
        let server = try accept()
        try client.writeAll("socket", Array("before".utf8))
        var watch = WaitingWatch()
        watch.add("mpv", [getpid()], roots: [], at: .zero)
        #expect(watch.look(at: .seconds(1)).isEmpty)
        try client.writeAll("socket", Array("more".utf8))
        #expect(watch.look(at: .seconds(2)) == ["mpv": .socket(path)])
        withExtendedLifetime(server) {}
    }

    /// libICE connects the clients of a session manager in this way.
    @Test func whatTheSessionManagerWritesIsNoticed() throws {
        mkdir(folder(".ICE-unix"), 0o700)
        let path = folder(".ICE-unix/1")
        var listener: Descriptor? = try .listening(at: SystemString(path))
        let client = try Descriptor.connected(to: SystemString(path), patience: 1)
        let manager = try listener?.accept()
        // Clients of a session manager do not listen at this socket.
        listener = nil
        var watch = WaitingWatch()
        watch.add("editor", [getpid()], roots: [], at: .zero)
        #expect(watch.look(at: .seconds(1)).isEmpty)
        try manager?.writeAll("socket", Array("SaveYourself".utf8))
        #expect(watch.look(at: .seconds(2)) == ["editor": .sessionManager])
        withExtendedLifetime(client) {}
    }

    @Test func aSignalThatEndsAStoppedProcessIsNoticed() throws {
        let program = try Program("sleep", ["1000"])
        var watch = WaitingWatch()
        watch.add("sleep", [program.pid], roots: [program.pid], at: .zero)
        program.send(SIGSTOP)
        #expect(waitUntil { ProcessTable.row(of: program.pid)?.isStopped == true })
        #expect(watch.look(at: .seconds(1)).isEmpty)
        program.send(SIGTERM)
        #expect(watch.look(at: .seconds(2)) == ["sleep": .signal])
        try program.end(SIGKILL)
    }

    @Test func itLooksForNoneThatIsFrozenNoLonger() {
        var watch = WaitingWatch()
        watch.add("emacs", [getpid()], roots: [], at: .zero)
        watch.keep(["other"])
        #expect(watch.next == nil && watch.look(at: .seconds(1)).isEmpty)
        // Process 0 has no sockets.
        watch.add("none", [0], roots: [0], at: .zero)
        #expect(watch.look(at: .seconds(1)).isEmpty)
    }
}
