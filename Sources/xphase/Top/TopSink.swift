import Console
import Glibc
import Hooks
import Journal
import PhaseWatch
import System

/// A sink that updates the screen of `xphase top` at each change, key and measurement.
final class TopSink: Sink {
    /// Changes within this time are drawn together.
    private static let pause = Duration.milliseconds(50)
    /// The time from a change to the next query of hook states: hooks start programs, which take time.
    private static let hookDelay = Duration.milliseconds(500)
    /// The time between two measurements; the second one comes sooner.
    private static let useDelay = Duration.seconds(3)

    private let screen: TopScreen
    private var table: TopTable
    private var page: TopPage
    private let criteria: Criteria
    private let askHooks: () -> [HookStatus]?
    /// Runs a command of `xphase` and returns its lines.
    private let run: ([String]) -> [String]
    private var use = TopUse()
    private var useTime: Duration? = .zero
    private var day = LocalTime(Int64(Timestamp.now().seconds) * 1000).date
    private(set) var isDone = false
    private(set) var failure: (any Error)?
    private var drawTime: Duration?
    private var lastDraw = Duration.zero
    private var hookTime: Duration? = .zero
    private var minute: Duration?

    /// - Parameters:
    ///   - criteria: The applications to show.
    ///   - askHooks: Returns the states of hooks; nil without an answer in time.
    ///   - run: Runs a command of `xphase`, and returns the lines that it prints.
    init(
        _ screen: TopScreen, _ table: TopTable, _ page: TopPage, criteria: Criteria,
        askHooks: @escaping () -> [HookStatus]?, run: @escaping ([String]) -> [String]
    ) {
        (self.screen, self.table, self.page) = (screen, table, page)
        (self.criteria, self.askHooks, self.run) = (criteria, askHooks, run)
    }

    var output: Int32? { screen.descriptor }
    var hasBacklog: Bool { screen.hasBacklog }
    var signals: [Int32] { [SIGWINCH, SIGTSTP, SIGCONT] }
    var endingSignals: [Int32] { EventLoop.otherEndingSignals }
    var next: Duration? { [drawTime, hookTime, useTime, minute].compactMap(\.self).min() }

    func join(_ loop: EventLoop) {
        loop.watch(STDIN_FILENO)
        screen.enter()
        drawTime = Clock.now()
    }

    func take(_ events: ChangeBatch, at time: Timestamp, numbers: inout [Int?]) {
        let clock = Clock.now().milliseconds
        for event in events {
            switch event {
            case .change(let change): take(change, at: time, clock)
            case .notice(.session(let change)): table.take(change, clock: clock)
            case .notice(.message): break
            }
        }
        // The process of a window is often known only later.
        if events.hasRefreshed { for change in events.refreshed { take(change, at: time, clock) } }
        wantsHooks(at: Clock.now() + Self.hookDelay)
        wantsDraw()
    }

    private func take(_ change: Change, at time: Timestamp, _ clock: Int64) {
        if criteria.isEmpty || criteria.matches(change) { table.take(change, at: time, clock: clock) }
    }

    func flush() throws { try screen.flush() }

    func ready(_ descriptor: Int32) {
        guard descriptor == STDIN_FILENO else { return }
        let bytes = screen.read()
        // A terminal that is gone is readable, too.
        if bytes.isEmpty { isDone = true }
        for key in TopKey.keys(in: bytes, isTyping: page.typed != nil) { press(key) }
        drawTime = Clock.now()
    }

    func received(_ signal: Int32) {
        if signal == SIGTSTP {
            screen.leave()
            kill(getpid(), SIGSTOP)
        }
        // After a stop, another program may have changed the terminal; after SIGWINCH, its size is different.
        if signal == SIGWINCH { screen.forget() } else { screen.enter() }
        drawTime = Clock.now()
    }

    func wake() {
        let now = Clock.now()
        if let hookTime, hookTime <= now {
            self.hookTime = nil
            if let rows = askHooks() {
                // Intermediate states change soon, and a process that is being stopped may still run.
                let isOnItsWay = rows.contains { [.checking, .entering, .leaving].contains($0.state) }
                let isNew = rows != table.hooks
                if isOnItsWay || isNew { wantsHooks(at: now + Self.hookDelay) }
                table.hooks = rows
                // The state of a waiting hook changes then.
                let waits = rows.compactMap(\.until?.time).min()
                if let waits { wantsHooks(at: now + Self.hookDelay + max(.zero, waits - .now())) }
            }
            drawTime = now
        }
        if let useTime, useTime <= now {
            let isFirst = table.uses.isEmpty
            table.uses = use.measure(table.rows.mapValues(\.pids))
            self.useTime = now + (isFirst ? .seconds(1) : Self.useDelay)
            drawTime = now
        }
        if let minute, minute <= now {
            wantsHooks(at: now)
            drawTime = now
        }
        if let drawTime, drawTime <= now { draw(now) }
    }

    private func wantsHooks(at time: Duration) {
        hookTime = hookTime.map { min($0, time) } ?? time
    }

    private func wantsDraw() {
        drawTime = drawTime ?? max(Clock.now(), lastDraw + Self.pause)
    }

    private func draw(_ now: Duration) {
        let time = Timestamp.now()
        let local = LocalTime(Int64(time.seconds) * 1000)
        if local.date != day {
            day = local.date
            page.start = nil
            table.beginDay(now.milliseconds - max(0, Int64(time.seconds) * 1000 - local.day().milliseconds))
        }
        table.countAll(now.milliseconds)
        table.keepInView(room: room)
        (drawTime, lastDraw) = (nil, now)
        let left = 60_000 - (time.seconds % 60) * 1000 - time.nanoseconds / 1_000_000
        minute = now + .milliseconds(left)
        do {
            try screen.draw(page.lines(table, size: screen.size, now: time))
        } catch {
            (failure, isDone) = (error, true)
        }
    }
}

/// Keys.
extension TopSink {
    private var room: Int { max(1, screen.size.rows - TopPage.headCount) }

    private func press(_ key: TopKey) {
        if let typed = page.typed { return type(key, typed) }
        if page.answer.count > 1 { return read(key) }
        page.answer = []
        switch key {
        case .quit: isDone = true
        case .up: table.select(by: -1, room: room)
        case .down: table.select(by: 1, room: room)
        case .pageUp: table.select(by: -room, room: room)
        case .pageDown: table.select(by: room, room: room)
        case .home: table.select(row: 0, room: room)
        case .end: table.select(row: table.shown.count - 1, room: room)
        case .click(let line):
            let row = line - TopPage.headCount - 1
            if row >= 0 { table.select(row: table.top + row, room: room) }
        case .sort:
            let orders = TopTable.Order.allCases
            let index = orders.firstIndex(of: table.order) ?? 0
            table.order = orders[(index + 1) % orders.count]
        case .filter: page.typed = table.filter
        case .escape: (table.filter, table.selected) = ("", nil)
        case .help: show(Top.keys)
        case .pause:
            let isPaused = table.hooks.contains { $0.state == .paused }
            act(["hooks", isPaused ? "resume" : "pause"])
        case .freeze: withSelected { act(["freeze", "--", $0.escapedAsGlob]) }
        case .thaw: withSelected { act(["thaw", "--", $0.escapedAsGlob]) }
        case .explain: withSelected { show(run(["explain", "--", $0.escapedAsGlob])) }
        case .why: withSelected(why)
        case .text, .erase, .enter: break
        }
    }

    private func withSelected(_ act: (String) -> Void) {
        if let name = table.selected, table.shown.contains(where: { $0.name == name }) {
            act(name)
        } else {
            page.answer = ["choose a row first, with the arrow keys or the mouse"]
        }
    }

    /// Runs a command that affects hooks, and queries their states again.
    private func act(_ command: [String]) {
        show(run(command))
        wantsHooks(at: Clock.now())
    }

    private func why(_ name: String) {
        let hooks = Set(table.hooks.map(\.hook)).sorted()
        let lines = hooks.flatMap { run(["hooks", "why", "--application", name.escapedAsGlob, "--", $0]) }
        show(lines.isEmpty ? ["there are no hooks: 'xphase hooks add' lists recipes"] : lines)
    }

    private func show(_ lines: [String]) { (page.answer, page.answerTop) = (lines, 0) }

    /// Handles a key while lines replace the table.
    private func read(_ key: TopKey) {
        let last = max(0, page.answer.count - room)
        func scroll(_ rows: Int) { page.answerTop = max(0, min(last, page.answerTop + rows)) }
        switch key {
        case .up: scroll(-1)
        case .down: scroll(1)
        case .pageUp: scroll(-room)
        case .pageDown: scroll(room)
        default: page.answer = []
        }
    }

    private func type(_ key: TopKey, _ typed: String) {
        switch key {
        case .text(let text): page.typed = String((typed + text).prefix(64))
        case .erase: page.typed = String(typed.dropLast())
        case .enter: page.typed = nil
        case .escape:
            table.filter = ""
            page.typed = nil
        default: return
        }
        table.filter = page.typed ?? table.filter
        table.top = 0
    }
}

extension String {
    /// A glob that matches only this text.
    fileprivate var escapedAsGlob: String {
        String(flatMap { "*?[\\/".contains($0) ? ["\\", $0] : [$0] })
    }
}

extension Timestamp {
    fileprivate static func - (one: Timestamp, other: Timestamp) -> Duration {
        .seconds(one.seconds - other.seconds) + .nanoseconds(one.nanoseconds - other.nanoseconds)
    }
}
