import CXlib
import Glibc
import Scenes
import TestDesktop
import Testing

@testable import X11

/// Requests that are sent together, and their answers.
@Suite struct ReplyOrderTests {
    private let server: VirtualDisplay
    private let client: TestClient
    private let display: Display

    init() throws {
        server = try VirtualDisplay()
        client = try TestClient(server.name)
        display = try Display(server.name)
    }

    /// Makes the requests that `make` returns, as many at a time as may be in flight, and passes each answer to `take`.
    private func read(_ count: Int, _ make: (Int) -> UInt32, _ take: @escaping (Reply) -> Void) throws {
        let end = ContinuousClock.now + .seconds(20)
        var asked = 0
        while asked < count || display.awaitedCount > 0 {
            while asked < count, display.awaitedCount < Display.mostAwaited {
                display.ask(make(asked), take)
                asked += 1
            }
            display.send()
            if try display.takeReplies(limit: count) == 0 { try display.wait(until: end) }
        }
    }

    private func waitForAnswer() throws {
        _ = try display.reply(to: display.focus(), until: .now + .seconds(20))
    }

    /// poll(2) no longer reports them.
    @Test func eventsThatAreReadWithAnAnswerAreQueued() throws {
        display.select(display.root, SubstructureNotifyMask)
        try waitForAnswer()
        try display.drain { _ in }
        #expect(!display.hasQueuedEvents)
        let window = TestWindow(client, .init(), colour: 0)
        client.sync()
        #expect(!display.hasQueuedEvents)
        try waitForAnswer()
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
        try read(10_000) { number in
            let xid = number % 100 == 0 ? windows[number / 100] : 0x7F_0000 + UInt32(number)
            return display.property(xid, atoms[.netDesktop], words: 1)
        } _: {
            answers.append($0.property?.word(6))
        }
        let expected: [UInt32?] = (0..<10_000).map { number in number % 100 == 0 ? UInt32(number) : nil }
        #expect(answers == expected)
    }

    @Test func selectedEventsAreReportedThoughADeadWindowWasSelectedBefore() throws {
        display.select(0x7F_0001, SubstructureNotifyMask)
        display.select(display.root, SubstructureNotifyMask)
        try waitForAnswer()
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
            let request = display.property(xid, atoms[name], words: words)
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
            try read(20_000) { _ in
                display.attributes(root)
            } _: { _ in
                answers += 1
            }
        }
        #expect(answers == 0)
        #expect(throws: MonitorFailure.displayLost(server.name)) { try display.drain { _ in } }
    }

    @Test func aServerThatIsStoppedHoldsUpNeitherSendingNorTheEnd() throws {
        var stopped: Display? = try Display(server.name)
        server.send(SIGSTOP)
        defer { server.send(SIGCONT) }
        if let stopped {
            for _ in 0..<Display.mostAwaited {
                stopped.ask(stopped.property(stopped.root, 39, words: 8)) { _ in }
            }
            stopped.send()
            #expect(try stopped.takeReplies(limit: 1) == 0)
            #expect(throws: MonitorFailure.displaySilent(server.name)) {
                try stopped.wait(until: .now + .milliseconds(50))
            }
        }
        stopped = nil
    }
}
