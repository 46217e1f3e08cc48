import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Scenes
@testable import Service

@Suite struct HookProgramsTests {
    @Test func whatIsLeftInTheBackgroundIsReadForAWhile() throws {
        let folder = try TemporaryFolder()
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        let context = HookContext(
            home: "/", environment: Environment(entries: ["PATH=/usr/bin:/bin"]), display: nil,
            log: Log(-1) { Array($0.utf8) })
        let programs = HookPrograms(context, loop)
        let script = "setsid yes & echo $! > \(folder("pid")); exit 0"
        let hook = Hook(name: "sync", reaction: .run(.shell(script)))
        let change = Change.step("A", from: .active, to: .background)
        let job = Job(hook: hook, part: .run, trigger: HookTrigger(change: change, time: .zero))
        _ = programs.start(1, job, isCheck: false, HookVariables.Processes(ofLiving: []))
        var run = programs.runs.first
        while !programs.runs.isEmpty {
            guard case .ready(let descriptor) = try loop.wait() else { continue }
            _ = programs.ready(descriptor)
        }
        let pid = try #require(pid_t(try folder.text(of: "pid").dropLast()))
        #expect(programs.next == nil)
        #expect(run?.leftover ?? 0 >= HookPrograms.mostLeftover)
        run = nil
        #expect(waitUntil { kill(pid, 0) < 0 || ProcessIdentity(pid: pid) == nil || isZombie(pid) })
    }

    private func isZombie(_ pid: pid_t) -> Bool {
        ProcessFolder(pid: pid)?.text("stat")?.contains(") Z ") ?? true
    }
}
