import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

@Suite struct VarlinkPeerTests {
    private let peer: VarlinkPeer
    private let client: Descriptor

    init() throws {
        var ends = [Int32](repeating: -1, count: 2)
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        peer = VarlinkPeer(try Descriptor("socketpair", ends[0]), loop: nil)
        client = try Descriptor("socketpair", ends[1])
    }

    private func send(_ text: String) -> Bool {
        write(client.number, text, text.utf8.count)
        return peer.read()
    }

    private func next() -> String? { peer.nextMessage().map { String(decoding: $0, as: UTF8.self) } }

    @Test func onlyWhoSendsOrReadsAMessageHasADeadline() throws {
        #expect(send("") && peer.deadline == nil)
        #expect(send("a") && peer.deadline != nil)
        #expect(send("\0") && next() == "a" && peer.deadline == nil)
        let call = try #require(VarlinkCall(#"{"method":"a.B"}"#.utf8))
        call.begin(for: peer)
        #expect(send("b") && peer.deadline == nil)
        call.reply(["a": 1])
        #expect(peer.deadline != nil)
    }

    /// However the bytes arrive.
    @Test func aMessageThatIsTooLongIsRefused() {
        let part = String(repeating: "x", count: 1 << 16)
        for _ in 0..<(VarlinkPeer.mostInput >> 16) { #expect(send(part)) }
        #expect(!send("x"))
    }
}

/// A service that does not answer.
@Suite struct VarlinkClientTests {
    @Test func oneDeadlineLimitsConnectingAndAllAnswers() throws {
        let folder = try TemporaryFolder()
        let environment = Environment(["XDG_RUNTIME_DIR": folder.path])
        let lock = try InstanceLock(display: ":7", environment: environment)
        let server = try VarlinkServer(lock, []) { _ in }
        for time in [Duration.zero, .milliseconds(50)] {
            let client = try VarlinkClient(display: ":7", environment: environment, patience: time)
            #expect(throws: ServiceError.silent(pid: getpid())) { try client.status() }
        }
        withExtendedLifetime(server) {}
    }
}
