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
    func aMessageThatIsNoCallIsNone(text: String) {
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
    func aParameterThatCannotBeReadIsNamed(parameters: String, key: String) throws {
        let call = try #require(VarlinkCall(#"{"method":"a.B","parameters":\#(parameters)}"#.utf8))
        #expect(throws: VarlinkError.invalidParameter(key)) { try call.parameters(Parameters.self) }
    }

    /// The client encodes the hook, and the service decodes it.
    @Test func aReactionRequestIsTheHookThatItWasMadeOf() throws {
        let pair = Hook.Pair(
            phases: [.background], builtIns: [.cap, .mute], except: [], cap: .init(rawValue: "20%"))
        var hook = Hook(name: "on 7", reaction: .pair(pair))
        hook.condition.application = [Pattern("a*"), Pattern("/b{1,2}/")]
        (hook.after, hook.condition.initial) = (.seconds(30), true)
        let sent = try #require(ReactionRequest(hook)).json
        #expect(try ReactionRequest(json: sent)?.hook(named: "on 7") == hook)
    }

    @Test(arguments: [
        (#"{"application":"a","phases":["active"],"after":0,"reactions":["freeze"]}"#, nil),
        (#"{"application":"a","phases":["background"],"after":-1,"reactions":["freeze"]}"#, nil),
        (
            #"{"application":"a","phases":["background"],"after":9223372036854775807,"reactions":["freeze"]}"#,
            "after"
        ),
        (#"{"application":"a","phases":["background"],"after":0,"reactions":["cap"]}"#, nil),
        (#"{"application":"a","phases":["background"],"after":0,"reactions":["freeze"],"cap":"20%"}"#, nil),
        (#"{"application":"a","phases":[],"after":0,"reactions":["freeze"]}"#, "phases"),
        (#"{"application":"a","phases":["background"],"after":0,"reactions":[]}"#, "reactions"),
    ])
    func aReactionThatNoHookCanHaveIsRefused(text: String, invalid: String?) throws {
        let reaction = try #require(ReactionRequest(json: text.utf8))
        let error = #expect(throws: VarlinkError.self) { try reaction.hook(named: "x") }
        if let invalid { return #expect(error?.parameters["parameter"] == invalid) }
        #expect(error?.error == VarlinkError.refused)
    }
}

/// Calls that would take the time or the memory of the service.
@Suite struct ExpensiveCallTests {
    private let sink: HookSink

    init() throws {
        let hooks = ["a", "b"].map { Hook(name: $0, reaction: .run(.arguments(["true"]))) }
        var loaded = LoadedHooks(hooks[0])
        loaded.hooks = hooks
        let context = HookContext(
            environment: Environment(entries: []), display: nil, log: Log(-1) { Array($0.utf8) })
        sink = HookSink(loaded, from: nil, record: nil, context)
    }

    private func error(of method: String, _ parameters: String, more: Bool = false) throws -> VarlinkError? {
        let text = #"{"method":"org.xphase.Hooks.\#(method)","more":\#(more),"parameters":\#(parameters)}"#
        let call = try #require(VarlinkCall(text.utf8))
        return #expect(throws: VarlinkError.self) { try sink.handle(call) }
    }

    private static let nested = "/((a{1,100}){1,100}){1,100}/"

    @Test(arguments: [
        ("Thaw", #"{"application":"a,\#(nested)"}"#, "application"),
        ("Why", #"{"hook":"a","application":"\#(nested)"}"#, "application"),
        (
            "Hold",
            #"{"application":"\#(nested)","phases":["background"],"after":0,"reactions":["freeze"]}"#,
            "application"
        ),
        ("Thaw", #"{"application":"a\#(String(repeating: ",a", count: 100))"}"#, "application"),
        ("Pause", #"{"milliseconds":31622400001}"#, "milliseconds"),
        ("Freeze", #"{"application":"a","milliseconds":31622400001}"#, "milliseconds"),
        ("Pause", #"{"hooks":["a","b","a"]}"#, "hooks"),
    ])
    func aWrongValueIsAnInvalidParameter(method: String, parameters: String, invalid: String) throws {
        let error = try error(of: method, parameters, more: true)
        #expect(error?.error == VarlinkError.invalidParameter && error?.parameters["parameter"] == invalid)
        let text = try #require(error?.parameters["text"])
        #expect(!parameters.contains(Self.nested) || text.hasPrefix("'\(Self.nested)' is not a valid"))
    }

    @Test func atMostTenUnknownHooksAreNamed() throws {
        let names = (1...50_000).map { "\"unknown \($0)\"" }.joined(separator: ",")
        let many = try error(of: "Pause", #"{"hooks":[\#(names)]}"#)
        #expect(many?.parameters["text"]?.split(separator: "\n").count == 10)
        let few = try error(of: "Pause", #"{"hooks":["c","\#(String(repeating: "x", count: 1 << 19))"]}"#)
        #expect(few?.error == VarlinkError.refused && (few?.parameters["text"] ?? "").count < 300)
    }

    /// The text of a list with commas is read in linear time.
    @Test func aListOfCommasIsRefusedAtOnce() throws {
        let commas = String(repeating: ",", count: 1 << 17)
        #expect(try error(of: "Thaw", #"{"application":"\#(commas)"}"#) != nil)
        #expect(Pattern.list("/" + commas).count == 1)
    }
}

private final class Counter: VarlinkInterface {
    static let name = "org.example.Counter"
    static let description = ""
    var count = 0

    func handle(_ call: VarlinkCall) { count += 1 }
}

/// A runtime directory whose disk does not answer.
@Suite struct RemovedSocketTests {
    @Test func aCallIsAnsweredWhileADiskHoldsUpASocketThatIsMadeAgain() throws {
        let folder = try TemporaryFolder()
        let environment = Environment(["XDG_RUNTIME_DIR": folder.path])
        let lock = try InstanceLock(display: ":7", environment: environment)
        let counter = Counter()
        var said: [String] = []
        let server = try VarlinkServer(lock, [counter]) { said.append($0) }
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        server.join(loop)
        /// Has calls counted.
        func call(_ client: VarlinkClient) throws {
            // In each turn, each descriptor that is ready is served once.
            for _ in 1...5 {
                let former = counter.count
                client.call("org.example.Counter.Do", ["a": "b"], isOneway: true)
                while counter.count == former { #expect(try loop.wait() == .ready) }
            }
        }
        let client = try VarlinkClient(display: ":7", environment: environment)
        try call(client)
        // Who opens it waits for the end of the lease.
        try folder.write("xphase/other", "")
        var disk: FileLease? = try FileLease(folder("xphase/other"))
        rename(folder("xphase/other"), folder("xphase/:7.lock"))
        unlink(folder("xphase/:7"))
        try call(client)
        #expect(said.isEmpty)
        withExtendedLifetime(disk) {}
        disk = nil
        while said.isEmpty { #expect(try loop.wait() == .ready) }
        #expect(said == ["the Varlink socket was removed; xphase made it again"])
        try call(try VarlinkClient(display: ":7", environment: environment))
        server.close()
    }
}

/// A client that sends calls without an end.
@Suite struct FloodTests {
    @Test func aConnectionHasSixteenCallsInATurn() throws {
        let folder = try TemporaryFolder()
        let environment = Environment(["XDG_RUNTIME_DIR": folder.path])
        let lock = try InstanceLock(display: ":7", environment: environment)
        let counter = Counter()
        let server = try VarlinkServer(lock, [counter]) { _ in }
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        server.join(loop)
        let client = try VarlinkClient(display: ":7", environment: environment)
        for _ in 1...100 { client.call("org.example.Counter.Do", ["a": "b"], isOneway: true) }
        for turn in 1...6 {
            #expect(try loop.wait() == .ready)
            #expect(counter.count == turn * VarlinkServer.mostCalls.ofOne)
        }
        #expect(try loop.wait() == .ready)
        #expect(counter.count == 100)
        server.close()
    }

    private final class Thaws: VarlinkInterface {
        static let name = "org.example.Thaws"
        static let description = ""
        var isAsked = false

        func handle(_ call: VarlinkCall) { isAsked = true }
    }

    /// Each connection has its turn once before any has it again.
    @Test func aThawIsHandledInTheFirstRoundBesideAHundredConnectionsThatFlood() throws {
        let folder = try TemporaryFolder()
        let environment = Environment(["XDG_RUNTIME_DIR": folder.path])
        let lock = try InstanceLock(display: ":7", environment: environment)
        let (counter, thaws) = (Counter(), Thaws())
        let server = try VarlinkServer(lock, [counter, thaws]) { _ in }
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        server.join(loop)
        let clients = try (1...100).map { number in
            let client = try VarlinkClient(display: ":7", environment: environment)
            client.call("org.example.Counter.Do", ["a": "b"], isOneway: true)
            while counter.count < number { #expect(try loop.wait() == .ready) }
            return client
        }
        let thaw = try VarlinkClient(display: ":7", environment: environment)
        thaw.call("org.example.Counter.Do", ["a": "b"], isOneway: true)
        while counter.count <= clients.count { #expect(try loop.wait() == .ready) }
        for client in clients {
            for _ in 1...200 { client.call("org.example.Counter.Do", ["a": "b"], isOneway: true) }
        }
        thaw.call("org.example.Thaws.Do", ["a": "b"], isOneway: true)
        counter.count = 0
        while !thaws.isAsked { #expect(try loop.wait() == .ready) }
        #expect(counter.count <= VarlinkServer.mostCalls.ofAll)
        server.close()
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
