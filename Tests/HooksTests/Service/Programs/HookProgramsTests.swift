import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Scenes
@testable import Service

@Suite struct HookProgramsTests {
    private let folder: TemporaryFolder
    private let loop: EventLoop
    private let programs: HookPrograms

    init() throws {
        folder = try TemporaryFolder()
        loop = try EventLoop(display: -1, output: nil, signals: [])
        let context = HookContext(
            environment: Environment(entries: ["PATH=/usr/bin:/bin"]), display: nil,
            log: Log(-1) { Array($0.utf8) })
        programs = HookPrograms(context, loop)
    }

    /// Starts a hook that runs a shell script.
    private func start(_ script: String, timeout: Duration = .seconds(30)) {
        var hook = Hook(name: "sync", reaction: .run(.shell(script)))
        hook.timeout = timeout
        let change = Change.step("A", from: .active, to: .background)
        let job = Job(hook: hook, part: .run, trigger: HookTrigger(change: change, time: .zero))
        programs.start(1, job, isCheck: false, HookVariables.Processes(ofLiving: []))
    }

    /// Serves the programs until all outputs are closed, and returns how many times the loop has woken.
    private func serve() throws -> Int {
        var count = 0
        while !programs.all.isEmpty {
            loop.setTimer(programs.next)
            count += 1
            if try loop.wait() == .timer { programs.expire(at: Clock.now()) }
        }
        return count
    }

    @Test func whatIsLeftInTheBackgroundIsReadForAWhile() throws {
        start("setsid yes & echo $! > \(folder("pid")); exit 0")
        var program = programs.all.first
        _ = try serve()
        let pid = try #require(pid_t(try folder.text(of: "pid").dropLast()))
        #expect(programs.next == nil)
        #expect(program?.leftover ?? 0 >= HookPrograms.mostLeftover)
        program = nil
        #expect(waitUntil { kill(pid, 0) < 0 || ProcessIdentity(pid: pid) == nil || isZombie(pid) })
    }

    private func isZombie(_ pid: pid_t) -> Bool {
        ProcessFolder(pid: pid)?.text("stat")?.contains(") Z ") ?? true
    }

    /// It ignores TERM, and its program does not.
    @Test func aProcessBehindAProgramIsAwaitedWithoutWakeUps() throws {
        var ends: [HookInput] = []
        programs.report = { ends.append($0) }
        start("(trap '' TERM; while :; do sleep 0.1; done) & wait", timeout: .milliseconds(500))
        // The time limit, the end of the program, the next limit, and the end of the output.
        #expect(try serve() <= 5)
        guard case .ended(1, .timedOut, let time)? = ends.last else {
            Issue.record("\(ends)")
            return
        }
        #expect(ends.count == 1 && time >= .milliseconds(2500))
        // No descriptor is left.
        loop.setTimer(.nanoseconds(1))
        #expect(try loop.wait() == .timer)
    }
}

@Suite struct OutputLinesTests {
    private static let long = String(repeating: "x", count: 1023)

    private static let cases: [(chunks: [String], lines: [String], dropped: Int)] = [
        (["one\ntw", "o\n\n"], ["one", "two", ""], 0),
        (["end"], ["end"], 0),
        ([String(repeating: "x", count: 5000)], [4095, 905].map { String(repeating: "x", count: $0) }, 0),
        ([String](repeating: long + "\n", count: 64) + ["more\n"], [String](repeating: long, count: 64), 5),
        // Many short lines are too much, too.
        (
            [String](repeating: "y\n", count: 32 << 10) + ["y"], [String](repeating: "y", count: 2048),
            (64 << 10) + 1 - 2 * 2048
        ),
    ]

    @Test(arguments: cases)
    func outputIsCutIntoLinesUpToABound(chunks: [String], lines: [String], dropped: Int) {
        var splitter = OutputLines()
        let found = chunks.flatMap { splitter.split($0.utf8) } + splitter.rest()
        #expect(found == lines && splitter.dropped == dropped && splitter.rest().isEmpty)
    }

    @Test func bytesThatAreNoTextAreReplaced() {
        var splitter = OutputLines()
        #expect(splitter.split([0x61, 0xFF, 0x0A]) == ["a\u{FFFD}"])
    }
}
