import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Scenes
@testable import Service

/// Running programs, at times that the test sets.
@Suite struct RunsTests {
    private let loop: EventLoop
    private var runs: Runs

    init() throws {
        loop = try EventLoop(display: -1, output: nil, signals: [])
        runs = Runs(loop)
    }

    private mutating func add(_ script: String) throws -> Run {
        let job = Job(
            hook: .run("sync"), part: .run,
            trigger: HookTrigger(change: .step("A", from: .active, to: .background), time: .zero))
        let program = try RunningProgram(
            ["sh", "-c", SystemString(script)], environment: ["PATH=/usr/bin:/bin"], input: [],
            directory: "/",
            timeout: .seconds(30), at: .zero)
        let run = Run(id: 1, job: job, .part, program: program)
        runs.add(run)
        return run
    }

    /// Handles ready descriptors until the program itself has ended.
    private mutating func end() throws {
        while !runs.isEmpty {
            guard case .ready(let descriptor) = try loop.wait() else { continue }
            _ = runs.news(of: descriptor, at: .zero)
        }
    }

    @Test mutating func whatIsLeftInTheBackgroundIsReadForAWhile() throws {
        let folder = try TemporaryFolder()
        var run: Run? = try add("setsid yes & echo $! > \(folder("pid")); exit 0")
        try end()
        let pid = try #require(pid_t(try folder.text(of: "pid").dropLast()))
        while !runs.outputs.isEmpty {
            guard case .ready(let descriptor) = try loop.wait() else { continue }
            _ = runs.news(of: descriptor, at: .zero)
        }
        #expect(runs.next == nil)
        #expect(run?.leftover ?? 0 >= Runs.mostLeftover)
        run = nil
        #expect(waitUntil { kill(pid, 0) < 0 || ProcessIdentity(pid: pid) == nil || isZombie(pid) })
    }

    private func isZombie(_ pid: pid_t) -> Bool {
        ProcessFolder(pid: pid)?.text("stat")?.contains(") Z ") ?? true
    }
}
