import Console
import Glibc
import Hooks
import Journal
import PhaseWatch
import System

/// Keeps the picture of `xphase top` current. Nothing wakes it but a change, a key, the next minute of its clock, and the moment for
/// which a hook waits.
final class TopSink: Sink {
    /// Changes that follow each other more closely are drawn together.
    private static let pause = Duration.milliseconds(50)
    /// How long after a change to ask for the states of hooks again: hooks start programs, which take time.
    private static let hookDelay = Duration.milliseconds(500)

    private let screen: TopScreen
    private var table: TopTable
    private var page: TopPage
    private let criteria: Criteria
    private let askHooks: () -> [HookStatus]?
    private var day = LocalTime(Int64(Timestamp.now().seconds) * 1000).date
    private(set) var isDone = false
    private(set) var failure: (any Error)?
    /// When to draw, and when to ask the hooks.
    private var drawTime: Duration?
    private var lastDraw = Duration.zero
    private var hookTime: Duration? = .zero
    private var minute: Duration?

    /// - Parameters:
    ///   - criteria: Which applications are shown.
    ///   - askHooks: What hooks do now; nil where nobody answers in time.
    init(
        _ screen: TopScreen, _ table: TopTable, _ page: TopPage, criteria: Criteria,
        askHooks: @escaping () -> [HookStatus]?
    ) {
        (self.screen, self.table, self.page) = (screen, table, page)
        (self.criteria, self.askHooks) = (criteria, askHooks)
    }

    var output: Int32? { screen.descriptor }
    var hasBacklog: Bool { screen.hasBacklog }
    var signals: [Int32] { [SIGWINCH, SIGTSTP, SIGCONT] }
    var endingSignals: [Int32] { EventLoop.otherEndingSignals }
    var next: Duration? { [drawTime, hookTime, minute].compactMap(\.self).min() }

    func join(_ loop: EventLoop) {
        loop.watch(STDIN_FILENO)
        screen.enter()
        drawTime = Clock.now()
    }

    func take(_ events: ChangeBatch, at time: Timestamp, numbers: inout [Int?]) {
        let clock = Clock.now().milliseconds
        for event in events {
            switch event {
            case .change(let change):
                if criteria.isEmpty || criteria.matches(change) { table.take(change, at: time, clock: clock) }
            case .notice(.session(let change)): table.take(change, clock: clock)
            case .notice(.message): break
            }
        }
        wantsHooks(at: Clock.now() + Self.hookDelay)
        wantsDraw()
    }

    func flush() throws { try screen.flush() }

    func ready(_ descriptor: Int32) {
        guard descriptor == STDIN_FILENO else { return }
        let bytes = screen.read()
        // A terminal that is gone can be read, too.
        if bytes.isEmpty { isDone = true }
        for key in TopKey.keys(in: bytes, isTyping: page.typed != nil) { press(key) }
        drawTime = Clock.now()
    }

    func received(_ signal: Int32) {
        if signal == SIGTSTP {
            screen.leave()
            kill(getpid(), SIGSTOP)
        }
        // It goes on, and whoever had the terminal meanwhile may have changed it; or its size is another one.
        if signal == SIGWINCH { screen.forget() } else { screen.enter() }
        drawTime = Clock.now()
    }

    func wake() {
        let now = Clock.now()
        if let hookTime, hookTime <= now {
            self.hookTime = nil
            if let rows = askHooks() {
                // What is on its way is there soon, and a process that is being stopped does not stand still yet.
                let isOnItsWay = rows.contains { [.checking, .entering, .leaving].contains($0.state) }
                if isOnItsWay || Set(rows) != Set(table.hooks) { wantsHooks(at: now + Self.hookDelay) }
                table.hooks = rows
                // The state of a hook that waits changes then.
                let waits = rows.compactMap(\.until?.time).min()
                if let waits { wantsHooks(at: now + Self.hookDelay + max(.zero, waits - .now())) }
            }
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
    private func press(_ key: TopKey) {
        if let typed = page.typed { return type(key, typed) }
        let room = max(1, screen.size.rows - 3)
        let last = max(0, table.shown.count - room)
        func scroll(_ rows: Int) { table.top = max(0, min(last, table.top + rows)) }
        switch key {
        case .quit: isDone = true
        case .up: scroll(-1)
        case .down: scroll(1)
        case .pageUp: scroll(-room)
        case .pageDown: scroll(room)
        case .home: table.top = 0
        case .end: table.top = last
        case .sort:
            let orders = TopTable.Order.allCases
            let index = orders.firstIndex(of: table.order) ?? 0
            table.order = orders[(index + 1) % orders.count]
        case .filter: page.typed = table.filter
        case .escape: table.filter = ""
        case .text, .erase, .enter: break
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

extension Timestamp {
    fileprivate static func - (one: Timestamp, other: Timestamp) -> Duration {
        .seconds(one.seconds - other.seconds) + .nanoseconds(one.nanoseconds - other.nanoseconds)
    }
}
