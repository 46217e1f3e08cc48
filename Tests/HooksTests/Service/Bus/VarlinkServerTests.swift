import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

/// The server as a client sees it, byte by byte.
@Suite struct VarlinkServerTests {
    private let folder: TemporaryFolder
    private let environment: Environment
    private let loop: EventLoop

    init() throws {
        folder = try TemporaryFolder()
        environment = Environment(["XDG_RUNTIME_DIR": folder.path])
        loop = try EventLoop(display: -1, output: nil, signals: [])
    }

    private func server(_ interfaces: [any VarlinkInterface] = []) throws -> VarlinkServer {
        let lock = try InstanceLock(display: ":7", environment: environment)
        let server = try VarlinkServer(lock, interfaces) { _ in }
        server.join(loop)
        return server
    }

    /// Returns a client that the server has admitted.
    private func client() throws -> VarlinkClient {
        let client = try VarlinkClient(display: ":7", environment: environment)
        #expect(try loop.wait() == .ready)
        return client
    }

    /// Sends bytes, and has the server read them.
    private func send(_ text: String, by client: VarlinkClient) throws {
        #expect(write(client.connection.number, text, text.utf8.count) == text.utf8.count)
        #expect(try loop.wait() == .ready)
    }

    /// Returns the bytes that have arrived; nil if there are none, and none at the end of the connection.
    private func received(by client: VarlinkClient) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(client.connection.number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : Array(bytes[..<count])
    }

    private struct Refusal: Decodable, Equatable {
        var error: String
        var parameters: [String: String]
    }

    @Test func eachMistakeOfACallHasItsError() throws {
        let display = try VirtualDisplay()
        var options = PhaseMonitor.Options()
        options.display = display.name
        let watcher = try PhaseWatcher(options)
        let context = HookContext(
            environment: Environment(entries: []), display: nil, log: Log(-1) { Array($0.utf8) })
        let hooks = LoadedHooks(Hook(name: "a", reaction: .run(.arguments(["true"]))))
        let sink = HookSink(hooks, from: nil, record: nil, context)
        let server = try server([PhasesInterface(watcher), sink])
        let hold = #"{"application":"a","phases":["background"],"after":0,"reactions":["freeze"]}"#
        let describe = "org.varlink.service.GetInterfaceDescription"
        let rows: [(method: String, parameters: String, error: String, named: [String: String])] = [
            ("org.example.Other.Do", "{}", "InterfaceNotFound", ["interface": "org.example.Other"]),
            ("org.xphase.List", "{}", "InterfaceNotFound", ["interface": "org.xphase"]),
            (describe, #"{"interface":"a.b"}"#, "InterfaceNotFound", ["interface": "a.b"]),
            ("org.varlink.service.Do", "{}", "MethodNotFound", ["method": "Do"]),
            ("org.xphase.Phases.list", "{}", "MethodNotFound", ["method": "list"]),
            ("org.xphase.Hooks.List", "{}", "MethodNotFound", ["method": "List"]),
            ("org.xphase.Phases.Watch", "{}", "ExpectedMore", [:]),
            ("org.xphase.Hooks.Hold", hold, "ExpectedMore", [:]),
            (describe, "{}", "InvalidParameter", ["parameter": "interface"]),
            ("org.xphase.Phases.List", #"{"filter":7}"#, "InvalidParameter", ["parameter": "filter"]),
            ("org.xphase.Hooks.Why", #"{"hook":7}"#, "InvalidParameter", ["parameter": "hook"]),
        ]
        let client = try client()
        for row in rows {
            try send(#"{"method":"\#(row.method)","parameters":\#(row.parameters)}"# + "\0", by: client)
            let reply = try #require(received(by: client), "\(row)")
            let refusal = Refusal(error: "org.varlink.service.\(row.error)", parameters: row.named)
            #expect(reply.last == 0 && Refusal(json: reply.dropLast()) == refusal, "\(row)")
        }
        server.close()
    }

    /// A client that sends nothing may stay.
    @Test func aMessageThatIsNotFinishedInThirtySecondsEndsItsConnection() throws {
        let server = try server()
        let (silent, slow) = (try client(), try client())
        let former = Clock.now()
        try send("{", by: slow)
        let end = try #require(server.next)
        #expect((former + .seconds(30)...Clock.now() + .seconds(30)).contains(end))
        server.wake(at: end - .nanoseconds(1))
        #expect(received(by: slow) == nil)
        server.wake(at: end)
        #expect(received(by: slow) == [] && received(by: silent) == nil && server.next == nil)
        server.close()
    }
}
