import Glibc
import System
import TestDesktop
import Testing

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

    private func replies() -> [String] {
        var bytes = [UInt8](repeating: 0, count: 1000)
        let count = read(client.number, &bytes, bytes.count)
        return bytes[..<max(0, count)].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    private func begin() throws -> VarlinkCall {
        let call = try #require(VarlinkCall(#"{"method":"a.B","more":true}"#.utf8))
        call.begin(for: peer)
        return call
    }

    @Test func onlyTheLastReplyEndsACall() throws {
        let first = try begin()
        first.reply(["a": 1], isLast: false)
        #expect(!first.isOver && peer.isBusy)
        first.reply(["a": 2])
        #expect(first.isOver && !peer.isBusy)
        let second = try begin()
        first.reply(["a": 3])
        first.fail(.expectedMore)
        peer.close()
        second.reply(["a": 4], isLast: false)
        #expect(second.isOver)
        #expect(replies() == [#"{"parameters":{"a":1},"continues":true}"#, #"{"parameters":{"a":2}}"#])
    }

    @Test func onlyWhoSendsOrReadsAMessageHasADeadline() throws {
        #expect(send("") && peer.deadline == nil)
        #expect(send("a") && peer.deadline != nil)
        #expect(send("\0") && next() == "a" && peer.deadline == nil)
        let call = try begin()
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
