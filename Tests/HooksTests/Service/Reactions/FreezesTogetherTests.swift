import Glibc
import Hooks
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Service

/// Applications that are frozen in one turn.
@Suite struct FreezesTogetherTests {
    private static var hook: Hook {
        let pair = Hook.Pair(phases: [.background], builtIns: [.freeze], except: [], cap: nil)
        return Hook(name: "sleep", reaction: .pair(pair))
    }

    /// Passes on that applications, each with its process and its window, go to the background.
    private static func hide(
        _ applications: [String: (pid: Int32, window: UInt32)], _ performer: HookPerformer
    ) {
        func change(_ kind: Change.Kind, _ name: String, _ subject: Change.Subject) -> Change {
            Change(
                kind: kind, application: name, subject: subject, from: kind == .opened ? nil : .active,
                to: .background, cause: .iconify)
        }
        performer.note(
            applications.map { name, its in
                change(.opened, name, .scene(.init(id: WindowID(its.window), pid: its.pid)))
            })
        performer.take(
            applications.map { name, its in
                let members = Change.Members(counts: .init(background: 1), pids: [its.pid], groups: [])
                return HookTrigger(change: change(.phase, name, .application(members)), time: .now())
            })
    }

    /// A program with very many mappings, which each fork(2) copies. A round may stop it between two. Its name is not that
    /// of an interpreter, whose arguments would be read, which waits for fork(2), too.
    @Test(.serialized, arguments: 1...5) func theChildOfAForkUnderWayIsStoppedToo(round: Int) throws {
        let script = """
            import ctypes, mmap, os, signal, time
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            libc = ctypes.CDLL(None)
            size = 4096
            memory = mmap.mmap(-1, 16000 * size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
            for page in range(0, 16000, 2):
                libc.mprotect(ctypes.c_void_p(start + page * size), size, mmap.PROT_READ)
            former = None
            while True:
                child = os.fork()
                if not child:
                    time.sleep(1000)
                if former:
                    os.kill(former, signal.SIGKILL)
                former = child
            """
        let folder = try TemporaryFolder()
        _ = try Child.run("cp", ["/usr/bin/python3", folder("program")])
        let program = try Child(folder("program"), ["-c", script])
        func family() -> [ProcessRow] { ProcessTable.current().family(of: [program.pid]) }
        #expect(waitUntil { family().count > 1 })
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        let said = SaidLines()
        let context = HookContext(environment: Environment(entries: []), display: nil, log: said.log)
        // A reading of all processes may take longer than the fork.
        let performer = HookPerformer([Self.hook], context, record: nil, loop: loop) {
            let children = SystemString("/proc/\(program.pid)/task/\(program.pid)/children").contents() ?? ""
            let pids = [program.pid] + children.split(separator: " ").compactMap { Int32($0) }
            return ProcessTable(pids.compactMap(ProcessTable.row))
        }
        Self.hide(["App": (program.pid, 1)], performer)
        let isFrozen = try waitUntil {
            if said.all.contains(where: { $0.contains("App frozen (") }) { return true }
            _ = try performer.turn(until: Clock.now() + .milliseconds(20))
            return false
        }
        #expect(isFrozen, "\(said.all)")
        #expect(waitUntil { family().allSatisfy { $0.isStopped || $0.hasEnded } }, "\(family())")
        for process in family() { kill(process.pid, SIGKILL) }
    }

    /// A reading of all processes takes tens of milliseconds: one for all questions, and one after all stops.
    @Test func twentyThatAreHiddenAtOnceAreFrozenWithOneReadingOfTheProcessesAfterTheStop() throws {
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        let context = HookContext(
            environment: Environment(entries: []), display: nil, log: Log(-1) { Array($0.utf8) })
        let programs = try (1...20).map { _ in try Child("sleep", ["1000"], package: "coreutils") }
        var stops: [Int] = []
        let performer = HookPerformer([Self.hook], context, record: nil, loop: loop) {
            let table = ProcessTable.current()
            stops.append(programs.count { table.rows[$0.pid]?.isStopped == true })
            return table
        }
        let applications = programs.map { ("App\($0.pid)", ($0.pid, UInt32($0.pid))) }
        Self.hide(Dictionary(uniqueKeysWithValues: applications), performer)
        func areStopped(_ isTrue: Bool) -> Bool {
            programs.allSatisfy { ProcessTable.row(of: $0.pid)?.isStopped == isTrue }
        }
        // The answers of a session bus, if there is one, come first.
        let areFrozen = try waitUntil {
            if stops.count > 1 && areStopped(true) { return true }
            _ = try performer.turn(until: Clock.now() + .milliseconds(20))
            return false
        }
        #expect(areFrozen && stops == [0, 20])
        performer.take(signs: Set(applications.map(\.0)))
        #expect(waitUntil { areStopped(false) })
    }

    /// The server stops as soon as the program is stopped, as if the program had grabbed it.
    @Test func theTurnOfAFreezeDoesNotWaitForTheServerThatTheProgramMayHaveGrabbed() throws {
        let display = try VirtualDisplay()
        let client = try TestClient(display.name)
        let window = TestWindow(client, .init("Alpha"), colour: 1, x: 0, y: 0, width: 10, height: 10)
        client.sync()
        var options = PhaseMonitor.Options()
        options.display = display.name
        let watcher = try PhaseWatcher(options)
        _ = try watcher.update()
        let loop = try EventLoop(display: watcher.fileDescriptor, output: nil, signals: [])
        let said = SaidLines()
        let context = HookContext(
            environment: Environment(entries: []), display: display.name, watcher: watcher, log: said.log)
        let program = try Child("sleep", ["1000"], package: "coreutils")
        var isSilent = false
        let performer = HookPerformer([Self.hook], context, record: nil, loop: loop) {
            let table = ProcessTable.current()
            if !isSilent && table.rows[program.pid]?.isStopped == true {
                display.send(SIGSTOP)
                isSilent = true
            }
            return table
        }
        Self.hide(["Alpha": (program.pid, UInt32(window.id))], performer)
        func turn() throws {
            let soon = Clock.now() + .milliseconds(20)
            loop.setTimer([performer.next, watcher.nextUpdateTime, soon].compactMap(\.self).min())
            switch try loop.wait() {
            case .display: _ = try watcher.advance(hasInput: true)
            case .timer:
                performer.wake()
                _ = try watcher.advance(hasInput: loop.hasDisplayInput)
            default: break
            }
            performer.takeAll()
        }
        func isStopped() -> Bool { ProcessTable.row(of: program.pid)?.isStopped == true }
        let hasBegun = try waitUntil {
            if !isSilent && said.all.isEmpty { try turn() }
            return isSilent || !said.all.isEmpty
        }
        #expect(hasBegun && isStopped() && said.all == [] && performer.engine.frozenApplications == ["Alpha"])
        display.send(SIGCONT)
        // Whether it has answered in time does not matter here.
        #expect(
            try waitUntil {
                try turn()
                return !said.all.isEmpty
            })
        performer.take(signs: ["Alpha"])
        #expect(waitUntil { !isStopped() })
    }
}
