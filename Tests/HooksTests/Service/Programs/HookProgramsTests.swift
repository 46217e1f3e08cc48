import Glibc
import PhaseWatch
import TestDesktop
import Testing

@testable import Hooks
@testable import Scenes
@testable import Service
@testable import System

/// `Program` is ambiguous here: the module Hooks declares one, too.
typealias Child = TestDesktop.Program

/// Programs of hooks in a loop of their own. The tests of `xphase run` cover the rest.
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

    private func start(_ command: Hooks.Program, timeout: Duration = .seconds(30), isCheck: Bool = false) {
        var hook = Hook(name: "sync", reaction: .run(command))
        (hook.timeout, hook.unless) = (timeout, command)
        let change = Change.step("A", from: .active, to: .background)
        let job = Job(hook: hook, part: .run, trigger: HookTrigger(change: change, time: .zero))
        programs.start(1, job, isCheck: isCheck, HookVariables.Processes(ofLiving: []))
    }

    /// A program that a debugger traces, which does not let it go when it has ended: its parent cannot reap it.
    private func traced() -> Hooks.Program {
        let script = """
            import ctypes, os, sys, time
            libc, path, traced = ctypes.CDLL(None), sys.argv[1], os.getpid()
            libc.prctl(0x59616D61, ctypes.c_long(-1), 0, 0, 0)
            if os.fork() == 0:
                os.setsid()
                os.closerange(0, 3)
                libc.ptrace(ctypes.c_long(0x4206), ctypes.c_long(traced), ctypes.c_long(0), ctypes.c_long(0))
                with open(path + ".new", "w") as file: file.write(f"{os.getpid()} {traced}")
                os.rename(path + ".new", path)
                time.sleep(60)
                os._exit(0)
            while not os.path.exists(path): time.sleep(0.01)
            sys.exit(3)
            """
        return .arguments(["/usr/bin/python3", "-c", SystemString(script), SystemString(folder("tracer"))])
    }

    /// Returns the processes of `traced`.
    private static func tracer(_ path: String) throws -> (tracer: Int32, traced: Int32) {
        let numbers = SystemString(path).contents()?.split(separator: " ").compactMap { Int32($0) } ?? []
        guard numbers.count == 2 else { throw Failure("no debugger has begun") }
        return (numbers[0], numbers[1])
    }

    /// Its status is not known then.
    @Test func aProgramThatADebuggerKeepsAfterItsEndDoesNotHoldUpTheLoop() throws {
        let outcome = try end(of: traced()).outcome
        let (tracer, traced) = try Self.tracer(folder("tracer"))
        #expect(ProcessTable.row(of: traced)?.hasEnded == true && outcome == .killed(signal: SIGKILL))
        kill(tracer, SIGKILL)
    }

    @Test func aProgramThatCannotBeWatchedIsAwaitedByItsOwnThread() throws {
        let path = folder("tracer")
        let start = try ProgramStart(
            on: SeparateThreads(), traced().arguments, environment: { [] },
            descriptors: [.memory([]), .memory([]), .memory([])], directory: "/",
            watch: { _ throws(SystemError) in
                _ = waitUntil { access(path, F_OK) == 0 }
                throw SystemError("pidfd_open", EMFILE)
            })
        var end = pollfd(fd: start.end.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&end, 1, 20_000) == 1)
        guard case .failure(let error)? = start.result else { throw Failure("it is watched") }
        let (tracer, traced) = try Self.tracer(path)
        #expect(error.hasRun && waitUntil { ProcessTable.row(of: traced)?.hasEnded == true })
        kill(tracer, SIGKILL)
        #expect(waitUntil { ProcessTable.row(of: traced) == nil })
    }

    /// Serves the programs until all outputs are closed, and returns how many times the loop has woken.
    @discardableResult
    private func serve() throws -> Int {
        var count = 0
        while !programs.all.isEmpty {
            loop.setTimer(programs.next)
            count += 1
            if try loop.wait() == .timer { programs.expire(at: Clock.now()) }
        }
        return count
    }

    /// Runs a command to its end.
    private func end(
        of command: Hooks.Program, timeout: Duration = .seconds(30), isCheck: Bool = false
    ) throws -> (outcome: Outcome, time: Duration, wakeUps: Int) {
        var ends: [HookInput] = []
        programs.report = { ends.append($0) }
        start(command, timeout: timeout, isCheck: isCheck)
        let wakeUps = try serve()
        guard ends.count == 1, case .ended(1, let outcome, let time) = ends[0] else {
            throw Failure("\(ends)")
        }
        return (outcome, time, wakeUps)
    }

    private static let leavesItsGroup =
        "exec python3 -c 'import os, signal; os.setpgid(0, os.getpgid(os.getppid())); signal.pause()'"

    /// Each has a second. What ignores TERM gets KILL two seconds later.
    @Test(
        arguments: [
            ("exit 3", .exited(3), 0), ("kill -SEGV $$", .killed(signal: SIGSEGV), 0),
            ("exec >&- 2>&-; sleep 0.2; exit 3", .exited(3), 0), ("exec yes", .timedOut, 1),
            ("kill -STOP $$; echo on", .timedOut, 1), (leavesItsGroup, .timedOut, 1),
            ("sleep 1000 & sleep 1000 & wait", .timedOut, 1),
            ("trap '' TERM; while :; do sleep 1; done", .timedOut, 3),
        ] as [(String, Outcome, Int)])
    func aProgramEndsByItselfOrByASignal(script: String, outcome: Outcome, seconds: Int) throws {
        let end = try end(of: .shell(script), timeout: .seconds(1))
        #expect(end.outcome == outcome && end.time >= .seconds(seconds) && end.time < .seconds(seconds + 2))
    }

    @Test func unlessHasATimeOfItsOwn() throws {
        let end = try end(of: .arguments(["sleep", "1000"]), isCheck: true)
        #expect(end.outcome == .timedOut && end.time >= .seconds(5))
    }

    @Test func theOutputOfAProgramLeftInTheBackgroundIsReadForAWhile() throws {
        start(.shell("setsid yes & echo $! > \(folder("pid")); exit 0"))
        var program = programs.all.first
        try serve()
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
        let script = "(trap '' TERM; while :; do sleep 0.1; done) & wait"
        let end = try end(of: .shell(script), timeout: .milliseconds(500))
        // The time limit, the end of the program, the next limit, and the end of the output.
        #expect(end.wakeUps <= 5)
        #expect(end.outcome == .timedOut && end.time >= .milliseconds(2500))
        // No descriptor is left.
        loop.setTimer(.nanoseconds(1))
        #expect(try loop.wait() == .timer)
    }

    @Test func aFileThatIsNoProgramIsReported() throws {
        let path = try folder.write("script", "echo hello\n")
        chmod(path, 0o755)
        for (program, fault) in [
            (path, "which begins with a line like '#!/bin/sh'"),
            ("no such program", "cannot start 'no such program': No such file or directory"),
        ] {
            let outcome = try end(of: .arguments([SystemString(program)])).outcome
            guard case .notStarted(let text) = outcome else { throw Failure("\(outcome)") }
            #expect(text.hasSuffix(fault))
        }
    }

    // MARK: Disks that do not answer

    /// Returns a program that writes a file if it runs, and what makes its start wait.
    private func programOnASilentDisk() throws -> (program: Hooks.Program, disk: FileLease) {
        let path = try folder.write("script", "#!/bin/sh\n: > \(folder("ran"))\n")
        chmod(path, 0o755)
        return (.arguments([SystemString(path)]), try FileLease(path))
    }

    @Test func aProgramWhoseDiskDoesNotAnswerFailsAtItsTimeLimitAndNeverRuns() throws {
        let (program, disk) = try programOnASilentDisk()
        var ends: [HookInput] = []
        programs.report = { ends.append($0) }
        start(program, timeout: .milliseconds(500))
        let silent = try #require(programs.all.first?.start)
        // The time limit.
        #expect(try serve() == 1)
        guard case .ended(1, .postponed(let text), let time) = ends.first else { throw Failure("\(ends)") }
        #expect(text.hasPrefix("cannot start \(folder("script")): its disk") && ends.count == 1)
        #expect(time >= .milliseconds(500))
        // Its process is killed, which ends the thread, while the disk still does not answer.
        var state = pollfd(fd: silent.end.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&state, 1, 20_000) == 1)
        withExtendedLifetime(disk) {}
        #expect(try folder.names() == ["script"])
    }

    @Test func otherProgramsRunWhileOneWaitsForItsDisk() throws {
        let (program, disk) = try programOnASilentDisk()
        start(program)
        let silent = try #require(programs.all.first)
        var ends: [HookInput] = []
        programs.report = { ends.append($0) }
        start(.shell("exit 3"))
        while ends.isEmpty { _ = try loop.wait() }
        guard case .ended(_, .exited(3), _) = ends[0] else { throw Failure("\(ends)") }
        #expect(silent.start != nil)
        withExtendedLifetime(disk) {}
        programs.signalAll()
        #expect(ends.count == 2 && programs.isEmpty)
    }

    @Test func aProgramRunsAsSoonAsItsDiskAnswers() throws {
        var (program, disk): (Hooks.Program, FileLease?) = try programOnASilentDisk()
        var ends: [HookInput] = []
        programs.report = { ends.append($0) }
        start(program)
        #expect(waitUntil { isChildWaiting })
        withExtendedLifetime(disk) {}
        disk = nil
        try serve()
        guard case .ended(_, .exited(0), _) = ends.first else { throw Failure("\(ends)") }
        #expect(try folder.names() == ["ran", "script"])
    }

    @Test func aProgramIsEndedThoughTheLoopHasNotNoticedItsStart() throws {
        var ends: [HookInput] = []
        programs.report = { ends.append($0) }
        start(.arguments(["sleep", "1000"]))
        let start = try #require(programs.all.first?.start)
        var state = pollfd(fd: start.end.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&state, 1, 20_000) == 1)
        programs.signalAll()
        // So it has received SIGTERM.
        #expect(programs.all.first?.exit != nil)
        try serve()
        guard case .ended(1, .stopped, _) = ends.first else { throw Failure("\(ends)") }
    }

    /// Whether a child of this process has not executed its program yet.
    private var isChildWaiting: Bool {
        let own = SystemString("/proc/self/exe").linkTarget
        return ProcessTable.current().rows.values.contains {
            $0.parent == getpid() && ExecutedProgram.file(of: $0.pid) == own
        }
    }

    /// A program waits for 1 s at most while xphase ends, whatever its time limit is.
    @Test func theEndOfXphaseWaitsASecondForADiskThatDoesNotAnswer() throws {
        let (program, disk) = try programOnASilentDisk()
        programs.hurry()
        let end = try end(of: program, timeout: .seconds(3600))
        guard case .postponed = end.outcome else { throw Failure("\(end)") }
        #expect(end.time >= .seconds(1) && end.time < .seconds(60))
        withExtendedLifetime(disk) {}
    }

    @Test(arguments: [(EMFILE, "ulimit -n"), (EAGAIN, "ulimit -u"), (ENFILE, "fs.file-max")])
    func aLimitIsNamed(code: Int32, limit: String) {
        let failure = SystemError.start("sync", .call("pipe2", code))
        #expect(failure.isTemporary && failure.description.hasPrefix("cannot start sync: "))
        #expect(failure.description.contains(limit))
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
