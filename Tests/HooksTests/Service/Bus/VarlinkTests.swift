import Console
import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

@Suite struct VarlinkCallTests {
    private struct Parameters: Codable, Equatable {
        var names: [String]?
        var number: Int?
    }

    /// Returns a call with arrays in arrays, of which no method knows the key.
    private static func nested(_ depth: Int) -> String {
        #"{"method":"a.B","other":"# + String(repeating: "[", count: depth)
            + String(repeating: "]", count: depth) + "}"
    }

    @Test(arguments: [[], ["a b", "tab\there", "back\\slash"], ["new\nline", "\\n", "ä", "\u{301}", "\0"]])
    func aCallComesAsItWasSent(names: [String]) throws {
        let sent = Parameters(names: names, number: -7)
        let message = VarlinkCall.message("org.xphase.Hooks.Pause", sent, wantsMore: true)
        #expect(message.last == 0 && message.count { $0 == 0 } == 1)
        let call = try #require(VarlinkCall(message.dropLast()))
        #expect(call.interface == "org.xphase.Hooks" && call.method == "Pause")
        #expect(call.wantsMore && !call.isOneway)
        #expect(try call.parameters() == sent)
    }

    @Test(arguments: [
        "", "status", "{}", "[]", "GET / HTTP/1.1\r", #"{"method":7}"#, #"{"method":"List"}"#,
        #"{"method":"a.B","more":1}"#, "\u{FF}", String(repeating: "[", count: 100_000),
        #"{"method":"a.B","parameters":"# + String(repeating: "[", count: 100_000),
        nested(100_000), nested(1000),
    ])
    func whatIsNoCallIsNone(text: String) {
        #expect(VarlinkCall(text.utf8) == nil)
    }

    @Test(arguments: [
        "", #","parameters":{}"#, #","parameters":null"#, #","parameters":{"other":[1]}"#,
    ])
    func parametersMayBeLeftOut(text: String) throws {
        let call = try #require(VarlinkCall(#"{"method":"a.B"\#(text)}"#.utf8))
        #expect(try call.parameters() == Parameters())
    }

    @Test(arguments: [
        (#"{"names":7}"#, "names"), (#"{"number":"x"}"#, "number"), (#"{"names":["a",7]}"#, "names"),
        ("[]", "parameters"), ("7", "parameters"),
    ])
    func whatCannotBeReadIsNamed(parameters: String, key: String) throws {
        let call = try #require(VarlinkCall(#"{"method":"a.B","parameters":\#(parameters)}"#.utf8))
        #expect(throws: VarlinkError.invalidParameter(key)) { try call.parameters(Parameters.self) }
    }

    /// The client encodes the hook, and the service decodes it.
    @Test func aHeldReactionIsTheHookThatItWasMadeOf() throws {
        let pair = Hook.Pair(
            phases: [.background], builtIns: [.cap, .mute], except: [], cap: .init(rawValue: "20%"))
        var hook = Hook(name: "on 7", reaction: .pair(pair))
        hook.condition.application = [Pattern("a*"), Pattern("/b{1,2}/")]
        (hook.after, hook.condition.initial) = (.seconds(30), true)
        let sent = try #require(HeldReaction(hook)).json
        #expect(try HeldReaction(json: sent)?.hook(named: "on 7") == hook)
    }

    @Test(arguments: [
        (#"{"application":"a","phases":["active"],"after":0,"reactions":["freeze"]}"#, nil),
        (#"{"application":"a","phases":["background"],"after":-1,"reactions":["freeze"]}"#, nil),
        (
            #"{"application":"a","phases":["background"],"after":9223372036854775807,"reactions":["freeze"]}"#,
            nil
        ),
        (#"{"application":"a","phases":["background"],"after":0,"reactions":["cap"]}"#, nil),
        (#"{"application":"a","phases":["background"],"after":0,"reactions":["freeze"],"cap":"20%"}"#, nil),
        (#"{"application":"/(/","phases":["background"],"after":0,"reactions":["freeze"]}"#, nil),
        (#"{"application":"a","phases":[],"after":0,"reactions":["freeze"]}"#, "phases"),
        (#"{"application":"a","phases":["background"],"after":0,"reactions":[]}"#, "reactions"),
    ])
    func aReactionThatNoHookCanHaveIsRefused(text: String, invalid: String?) throws {
        let reaction = try #require(HeldReaction(json: text.utf8))
        let error = #expect(throws: VarlinkError.self) { try reaction.hook(named: "x") }
        if let invalid { return #expect(error == .invalidParameter(invalid)) }
        #expect(error?.error == VarlinkError.refused)
    }
}

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
