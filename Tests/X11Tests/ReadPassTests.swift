import CXPipeline
import CXlib
import Glibc
import Scenes
import TestDesktop
import Testing

@testable import X11

/// Requests that are sent together, and their answers.
@Suite struct ReadPassTests {
    private let server: VirtualDisplay
    private let client: TestClient
    private let display: Display

    init() throws {
        server = try VirtualDisplay()
        client = try TestClient(server.name)
        display = try Display(server.name)
    }

    /// Sends `count` reads with the requests that `make` returns, and passes each answer to `take`.
    private func read(
        _ count: Int32, _ make: (Int32) -> UInt32, _ take: (Int32, Reply) -> Void
    ) throws {
        var pass = ReadPass()
        for number in 0..<count { pass.add(Read(fact: .focus, place: number)) }
        let end = ContinuousClock.now + .seconds(20)
        while !pass.isDone {
            pass.send(display) { make($0.place) }
            guard let (read, reply) = try pass.next(display) else {
                try display.wait(until: end)
                continue
            }
            take(read.place, reply)
        }
    }

    /// Returns whether a request of each kind has a reply.
    private func areAnswered(of xid: UInt32) throws -> [Bool] {
        let connection = display.connection
        let root = display.root
        let requests = [
            cxp_get_attributes(connection, xid), cxp_get_geometry(connection, xid),
            cxp_get_position(connection, xid, root), cxp_get_tree(connection, xid),
            cxp_get_property(connection, xid, 39, 8), cxp_get_pointer(connection, xid),
            cxp_get_selection_owner(connection, 0x7F_FFFF),
        ]
        cxp_send(connection)
        var answered: [Bool] = []
        for request in requests {
            let reply = try display.reply(to: request, until: .now + .seconds(20))
            answered.append(reply.start != nil)
        }
        return answered
    }

    /// poll(2) no longer reports them.
    @Test func eventsThatAreReadWithAnAnswerAreQueued() throws {
        let root = display.root
        cxp_select(display.connection, root, UInt32(SubstructureNotifyMask))
        _ = try areAnswered(of: root)
        try display.drain { _ in }
        #expect(!display.hasQueuedEvents)
        let window = TestWindow(client, .init(), colour: 0)
        client.sync()
        #expect(!display.hasQueuedEvents)
        _ = try areAnswered(of: root)
        #expect(display.hasQueuedEvents)
        var windows: [UInt32] = []
        try display.drain { windows.append($0.window) }
        #expect(windows.contains(UInt32(window.id)) && !display.hasQueuedEvents)
    }

    @Test func readsOfDeadWindowsAreNoneAndTheOthersArriveInTheirOrder() throws {
        let atoms = try Atoms(display, within: .seconds(20))
        var windows: [UInt32] = []
        for number in 0..<10_000 where number.isMultiple(of: 100) {
            let window = TestWindow(client, .init(), colour: 0)
            window.setWords("_NET_WM_DESKTOP", "CARDINAL", [UInt(number)])
            windows.append(UInt32(window.id))
        }
        var answers: [UInt32?] = []
        try read(
            10_000,
            { number in
                let xid = number % 100 == 0 ? windows[Int(number) / 100] : 0x7F_0000 + UInt32(number)
                return cxp_get_property(display.connection, xid, atoms[.netDesktop], 1)
            }, { answers.append($1.property?.word(6)) })
        let expected: [UInt32?] = (0..<10_000).map { number in number % 100 == 0 ? UInt32(number) : nil }
        #expect(answers == expected)
    }

    @Test func everyKindOfReadReportsOfADeadWindow() throws {
        #expect(try areAnswered(of: 0x7F_0001) == [false, false, false, false, false, false, false])
    }

    @Test func everyKindOfReadIsAnsweredOfALivingWindow() throws {
        let answered = try areAnswered(of: display.root)
        #expect(answered == [true, true, true, true, true, true, false])
    }

    @Test func whatIsSelectedIsReportedThoughADeadWindowWasSelectedBefore() throws {
        cxp_select(display.connection, 0x7F_0001, UInt32(1 << 19))
        cxp_select(display.connection, display.root, UInt32(1 << 19))
        let request = cxp_get_focus(display.connection)
        cxp_send(display.connection)
        _ = try display.reply(to: request, until: .now + .seconds(20))
        let window = TestWindow(client, .init(), colour: 0)
        var created: [UInt32] = []
        #expect(
            try waitUntil {
                try display.drain { created.append($0.window) }
                return created == [UInt32(window.id)]
            })
    }

    @Test func aPropertyIsTakenOnlyInTheTypeAndFormatThatIsWanted() throws {
        let window = TestWindow(client, .init(), colour: 0)
        window.setBytes("_NET_WM_PID", "CARDINAL", Array("12345678".utf8))
        window.setWords("_NET_WM_NAME", "UTF8_STRING", [1, 2])
        window.setBytes("WM_NAME", "STRING", [UInt8](repeating: 0x61, count: 1 << 20))
        window.setWords("_NET_WM_STATE", "ATOM", [])
        let atoms = try Atoms(display, within: .seconds(20))
        let xid = UInt32(window.id)
        func property<Result>(_ name: AtomName, _ words: UInt32, _ take: (Property?) -> Result) throws
            -> Result
        {
            let request = cxp_get_property(display.connection, xid, atoms[name], words)
            cxp_send(display.connection)
            return take(try display.reply(to: request, until: .now + .seconds(20)).property)
        }
        #expect(try property(.netPid, 1) { $0?.word(6) == nil && $0?.words(6) == nil })
        #expect(try property(.netName, 8) { $0?.text(atoms[.utf8String]) == nil })
        #expect(try property(.wmName, 16) { $0?.text(31)?.count } == 64)
        #expect(try property(.wmName, 16) { $0?.isCut } == true)
        #expect(try property(.wmClass, 16) { $0 == nil })
        // The property is set, but empty.
        #expect(try property(.netState, 16) { $0?.words(4) } == [])
        #expect(try property(.netState, 16) { $0?.word(4) == nil })
    }

    @Test func aServerThatDiesIsAnErrorAndNoMore() throws {
        let root = display.root
        try server.crash()
        var answers = 0
        #expect(throws: MonitorFailure.displayLost(server.name)) {
            try read(20_000, { _ in cxp_get_attributes(display.connection, root) }, { _, _ in answers += 1 })
        }
        #expect(answers == 0)
        #expect(throws: MonitorFailure.displayLost(server.name)) { try display.drain { _ in } }
    }

    @Test func aServerThatIsStoppedHoldsUpNeitherSendingNorTheEnd() throws {
        var stopped: Display? = try Display(server.name)
        let connection = try #require(stopped?.connection)
        let root = display.root
        server.send(SIGSTOP)
        defer { server.send(SIGCONT) }
        var pass = ReadPass()
        for _ in 0..<50_000 { pass.add(Read(fact: .focus)) }
        if let stopped {
            pass.send(stopped) { _ in cxp_get_property(connection, root, 39, 8) }
            #expect(try pass.next(stopped) == nil)
            #expect(throws: MonitorFailure.displaySilent(server.name)) {
                try stopped.wait(until: .now + .milliseconds(50))
            }
        }
        stopped = nil
    }
}
