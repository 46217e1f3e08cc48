import CLinux
import Console
import Glibc
import Hooks
import Journal
import PhaseWatch
import Service
import System

/// A sink that updates the screen of `xphase top` at each change, key and measurement.
final class TopSink: WatchMember {
    /// Changes within this time are drawn together.
    private static let pause = Duration.milliseconds(50)
    /// The time from a change to the next query of hook states: hooks start programs, which take time.
    private static let hookDelay = Duration.milliseconds(500)
    /// The time between two queries and measurements.
    private static let interval = Duration.seconds(3)
    private static let minute = Duration.seconds(60)
    /// The time limits of a command, of the hooks and of the journal.
    private static let patience = (command: Duration.seconds(3), other: Duration.seconds(1))

    private let screen: TopScreen
    private var table: TopTable
    private let display: String
    private let environment: Environment
    private var loop: EventLoop?
    private(set) var isDone = false
    private var (drawTime, lookTime, journalTime) = (Duration.zero, Duration.zero, Duration.zero)
    /// What reads the journal and asks the service; nil if no thread can be started. A disk may not answer.
    private let journals = try? DiskQueue<[String: Report.Row]?>()
    private let questions = try? DiskQueue<Result<[HookStatus], any Error>>()
    /// Whether the service has not answered. It is not asked again.
    private var isSilent = false
    private let threads = SeparateThreads()
    /// The command whose output is awaited, and when it is given up.
    private var command: (start: ProgramStart, end: Duration)?

    init(_ screen: TopScreen, _ subjects: Subjects, on display: String, _ io: CommandIO) {
        self.screen = screen
        self.display = display
        environment = io.environment
        let name = DisplayFileName(display).description
        table = TopTable(palette: io.palette, display: name, subjects: subjects)
    }

    var output: Int32? { screen.descriptor }
    var hasBacklog: Bool { !screen.pending.isEmpty }
    var signals: [Int32] { [SIGWINCH, SIGTSTP, SIGCONT] }
    var endingSignals: [Int32] { EventLoop.otherEndingSignals }
    var next: Duration? {
        [drawTime, lookTime, journalTime, command?.end].compactMap(\.self).min()
    }

    func join(_ loop: EventLoop) {
        self.loop = loop
        loop.watch(STDIN_FILENO) { [unowned self] in readKeys() }
        if let journals { loop.watch(journals.answers.number) { [unowned self] in takeJournal() } }
        if let questions { loop.watch(questions.answers.number) { [unowned self] in takeHooks() } }
        screen.enter()
    }

    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) {
        for case .change(let change) in events { table.take(change, at: time) }
        let now = Clock.now()
        (lookTime, drawTime) = (min(lookTime, now + Self.hookDelay), min(drawTime, now + Self.pause))
    }

    func flush() throws { try screen.flush() }

    private func readKeys() {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        // A terminal that is gone is readable, too.
        if count <= 0 { isDone = true }
        for key in Self.keys(in: String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)) { press(key) }
        drawTime = .zero
    }

    func received(_ signal: Int32) {
        if signal == SIGTSTP {
            screen.leave()
            kill(getpid(), SIGSTOP)
        }
        // After a stop, another program may have changed the terminal.
        if signal != SIGWINCH { screen.enter() }
        drawTime = .zero
    }

    func wake() {
        let now = Clock.now()
        if lookTime <= now {
            table.measure(at: now)
            askHooks()
            (lookTime, drawTime) = (now + Self.interval, now)
        }
        if journalTime <= now { readJournal() }
        if let command, command.end <= now {
            // Once it has ended, the loop waits for it.
            if !command.start.abandon(), case .success(let process)? = command.start.result {
                kill(process.pid, SIGKILL)
            }
            show(["no answer within \(Self.patience.command.text)"])
        }
        if drawTime > now { return }
        drawTime = now + (hasBacklog ? Self.pause : Self.interval)
        if !hasBacklog { screen.draw(table.lines(size: screen.size, now: .now())) }
    }

    /// Splits what a terminal sent at once into characters and escape sequences.
    static func keys(in text: String) -> [String] {
        text.matches(of: /\u{1B}[\[O][ -?]*[@-~]|./.matchingSemantics(.unicodeScalar).dotMatchesNewlines())
            .map { String($0.output) }
    }

    private func press(_ key: String) {
        if table.isTyping { return type(key) }
        let room = max(1, screen.size.rows - TopTable.headCount)
        let rows = [
            "\u{1B}[A": -1, "\u{1B}OA": -1, "k": -1, "\u{1B}[B": 1, "\u{1B}OB": 1, "j": 1,
            "\u{1B}[5~": -room, "\u{1B}[6~": room,
        ][key]
        if table.answer.count > 1, let rows {
            table.answerTop = max(0, min(table.answer.count - room, table.answerTop + rows))
        } else if table.answer.count > 1 {
            table.answer = []
        } else if let rows {
            table.select(by: rows)
        } else {
            table.answer = []
            switch key {
            case "q": isDone = true
            case "s": table.order = table.order.next
            case "h": table.showsOnlyHidden.toggle()
            case "?": table.answer = Top.keys.split(separator: "\n").map(String.init)
            case "/": table.isTyping = true
            case "\u{1B}": table.showAll()
            case "f": act("freeze")
            case "t": act("thaw")
            case "e": act("explain")
            default: break
            }
        }
    }

    /// Runs a command for the selected application. It has a process of its own, since a display may hang.
    private func act(_ word: String) {
        guard let row = table.shown.first(where: { $0.name == table.selected }) else {
            table.answer = ["choose a row first, with the arrow keys"]
            return
        }
        do throws(SystemError) {
            try start([word, "--display", display, "--", Pattern.exactly(row.name).text])
        } catch {
            table.answer = [Self.failure(error)]
        }
    }

    /// Starts a command of `xphase`, and shows what it has printed once it has ended, unless another was started.
    private func start(_ words: [String]) throws(SystemError) {
        let input = try Descriptor.memory([])
        let output = try Descriptor.memory([])
        let start = try ProgramStart(
            on: threads, (["/proc/self/exe"] + words).map { SystemString($0) },
            environment: { [environment] in environment.entries }, descriptors: [input, output, output],
            directory: "/")
        command = (start, Clock.now() + Self.patience.command)
        loop?.watch(start.end.number) { [unowned self] in
            loop?.forget(start.end.number)
            switch start.result {
            case .success(let process)?: follow(process, of: start, output)
            case .failure(let error)?: if command?.start === start { show([Self.failure(error)]) }
            case nil: break
            }
        }
    }

    private func follow(_ process: ProgramStart.Process, of start: ProgramStart, _ output: Descriptor) {
        loop?.watch(process.exit.number) { [unowned self] in
            loop?.forget(process.exit.number)
            waitpid(process.pid, nil, WNOHANG)
            if command?.start !== start { return }
            let text = SystemString("/proc/self/fd/\(output.number)").contents(limit: 1 << 24) ?? ""
            show(text.split(separator: "\n").map(String.init))
        }
    }

    private static func failure(_ error: SystemError) -> String { "cannot start a process: \(error)" }

    /// Shows the answer of a command, and queries the states of hooks again.
    private func show(_ answer: [String]) {
        command = nil
        table.answer = answer
        lookTime = .zero
        drawTime = .zero
    }

    private func type(_ key: String) {
        switch key {
        case "\r", "\n": table.isTyping = false
        case "\u{1B}": (table.isTyping, table.filter) = (false, "")
        case "\u{8}", "\u{7F}": table.filter = String(table.filter.dropLast())
        default: if key.escapedForTerminal == key { table.filter = String((table.filter + key).prefix(64)) }
        }
    }
}

/// What the screen shows besides phases. What is not read yet stays as it was.
extension TopSink {
    private func askHooks() {
        guard let questions, !questions.isBusy, !isSilent else { return }
        questions.submit { [display, environment] in
            Result {
                let patience = Self.patience.other
                return try VarlinkClient(display: display, environment: environment, patience: patience)
                    .status().rows
            }
        }
    }

    private func takeHooks() {
        for answer in questions?.takeAnswers() ?? [] {
            if case .failure(ServiceError.silent) = answer { isSilent = true }
            table.hooks = (try? answer.get()) ?? []
        }
        drawTime = .zero
    }

    private func readJournal() {
        journalTime = Clock.now() + Self.minute
        guard let journals, !journals.isBusy else { return }
        journals.submit { [name = table.display, environment] in
            .some(TopTable.journal(of: name, environment, until: Clock.now() + Self.patience.other))
        }
    }

    private func takeJournal() {
        for rows in journals?.takeAnswers() ?? [] { table.journal = rows }
        drawTime = .zero
    }
}
