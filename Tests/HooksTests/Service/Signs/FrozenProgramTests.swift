import Glibc
import Hooks
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Service

/// What is pending for a program, here for this process and for `sleep`.
@Suite(.serialized) struct FrozenProgramTests {
    private let folder: TemporaryFolder
    private let listener: Descriptor
    private var path: SystemString { SystemString(folder("socket")) }

    init() throws {
        folder = try TemporaryFolder()
        listener = try .listening(at: SystemString(folder("socket")))
    }

    /// Returns what a look finds after each of the steps. Other tests use sockets of this process, too.
    private func looks(
        _ pid: Int32 = getpid(), roots: [Int32] = [], steps: [() throws -> Void]
    ) throws -> [[ThawReason]] {
        var program = FrozenProgram([pid], roots: roots, since: .zero, among: UnixSocket.all)
        return try steps.map { step in
            try step()
            return program.look(at: UnixSocket.all)
                .filter { !"\($0)".contains("socket ") || "\($0)".contains(folder.path) }
        }
    }

    @Test func aConnectionThatCameJustBeforeTheFreezeIsNoticed() throws {
        let client = try Descriptor.connected(to: path)
        let found = try looks(steps: [{}, {}])
        #expect(found == [[.spokenTo("a connection or data at its socket \(path)")], []])
        withExtendedLifetime(client) {}
    }

    @Test func aConnectionThatWaitsIsNoticedOnce() throws {
        var client: Descriptor?
        let found = try looks(steps: [{}, { client = try .connected(to: path) }, {}])
        #expect(found == [[], [.spokenTo("a connection or data at its socket \(path)")], []])
        withExtendedLifetime(client) {}
    }

    @Test func dataThatWaitsAtAnAcceptedConnectionIsNoticed() throws {
        let client = try Descriptor.connected(to: path)
        let server = try listener.accept()
        try client.writeAll("socket", Array("before".utf8))
        let found = try looks(steps: [{}, { try client.writeAll("socket", Array("more".utf8)) }])
        #expect(found == [[], [.spokenTo("a connection or data at its socket \(path)")]])
        withExtendedLifetime(server) {}
    }

    /// libICE connects the clients of a session manager in this way. They do not listen at this socket. What other servers
    /// have sent, such as the X server, is nothing that wakes a program.
    @Test(arguments: [".ICE-unix", "other"]) func aMessageOfTheSessionManagerIsNoticed(name: String) throws {
        mkdir(folder(name), 0o700)
        let path = SystemString(folder("\(name)/1"))
        var listener: Descriptor? = try .listening(at: path)
        let client = try Descriptor.connected(to: path)
        let manager = try #require(try listener?.accept())
        listener = nil
        let found = try looks(steps: [{}, { try manager.writeAll("socket", Array("SaveYourself".utf8)) }])
        #expect(found == [[], name == "other" ? [] : [.sessionMayEnd]])
        withExtendedLifetime(client) {}
    }

    @Test func aSignalThatEndsAStoppedProcessIsNoticed() throws {
        let program = try Program("sleep", ["1000"])
        program.send(SIGSTOP)
        #expect(waitUntil { ProcessTable.row(of: program.pid)?.isStopped == true })
        let found = try looks(program.pid, roots: [program.pid], steps: [{}, { program.send(SIGTERM) }])
        #expect(found == [[], [.spokenTo("a signal that ends it")]])
        try program.end(SIGKILL)
    }

    /// A copy of `sleep`, since other tests start the usual one, about to be frozen as App.
    private struct Sleeper {
        let path: String
        let first: Child
        let loop: EventLoop
        let buses: Buses
        let signs: SignWatch

        init(_ folder: TemporaryFolder) throws {
            path = folder("sleep")
            _ = try Child.run("cp", ["/bin/sleep", path])
            first = try Child(path, ["1000"])
            loop = try EventLoop(display: -1, output: nil, signals: [])
            let context = HookContext(
                environment: Environment(entries: []), display: nil, log: Log(-1) { Array($0.utf8) })
            buses = Buses(loop)
            signs = SignWatch(context, loop, buses, display: ":0", memory: ProcessReadings(buses))
            signs.programs.patience = .seconds(20)
            signs.watch(["App": []], frozen: ["App"])
            try signs.prepare(for: ["App"])
        }

        func start() throws -> Child { try Child(path, ["1000"], environment: ["DISPLAY": ":0.0"]) }

        /// Returns what a search reports.
        func search(at now: Duration = Clock.now()) -> String {
            var found: [HookInput] = []
            signs.report = { found.append($0) }
            signs.programs.look(at: now)
            _ = waitUntil {
                buses.expire(at: Clock.now())
                return !found.isEmpty
            }
            return "\(found)"
        }
    }

    /// The file may also be opened all the time, without a start.
    @Test func aSecondStartIsNoticedByOneLookASecond() throws {
        let sleeper = try Sleeper(folder)
        let (signs, programs) = (sleeper.signs, sleeper.signs.programs)
        var found: [HookInput] = []
        signs.report = { found.append($0) }
        signs.add(["App": ([], roots: [sleeper.first.pid])], at: .seconds(5))
        // Another one is about to be frozen.
        signs.watch(["App": [], "Other": []], frozen: ["App"])
        #expect(programs.next == .seconds(6) && programs.names == ["App"])
        let openings = SystemString("/proc/self/fdinfo/\(try #require(programs.files).openings.number)")
        #expect(waitUntil { openings.contents()?.contains("inotify") == true })
        var now = Duration.seconds(5)
        var looks: [Duration] = []
        for _ in 1...250 {
            if now < .seconds(8) {
                _ = try Descriptor("open", open(sleeper.path, O_RDONLY | O_CLOEXEC))
                programs.opened(at: now)
            }
            now += .milliseconds(20)
            while let next = programs.next, next <= now {
                programs.look(at: next)
                looks.append(next)
            }
        }
        #expect(looks == [5100, 6100, 7100, 8100, 9100].map { .milliseconds($0) })
        let second = try sleeper.start()
        #expect(try sleeper.loop.wait() == .ready)
        programs.opened(at: .seconds(20))
        #expect(waitUntil { isStarted(second, "sleep") })
        #expect(found.isEmpty)
        #expect(
            sleeper.search(at: .seconds(21)).contains("a second start of its program, process \(second.pid)"))
        signs.watch([:], frozen: [])
        #expect(programs.next == nil && programs.files == nil)
    }

    /// It opens its file before that is watched.
    @Test func aSecondStartDuringTheFreezeIsNoticed() throws {
        let sleeper = try Sleeper(folder)
        let second = try sleeper.start()
        #expect(waitUntil { isStarted(second, "sleep") })
        let started = try #require(ProcessTable.row(of: second.pid)).identity.started
        #expect(waitUntil { Clock.sinceBoot() > started + .milliseconds(50) })
        // More processes were found, and are stopped now. Other inputs come meanwhile.
        try sleeper.signs.prepare(for: ["App"])
        sleeper.signs.watch(["App": []], frozen: ["App"])
        sleeper.signs.add(["App": ([], roots: [sleeper.first.pid])])
        sleeper.loop.setTimer(Clock.now() + .seconds(20))
        #expect(try sleeper.loop.wait() == .ready)
        #expect(sleeper.search().contains("a second start of its program, process \(second.pid)"))
    }

    /// Of three that are frozen at once, no thread can be started for the second.
    @Test func onlyWhatCannotBeWatchedOfAGroupIsThawedAndNamed() throws {
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        let said = SaidLines()
        let context = HookContext(environment: Environment(entries: []), display: nil, log: said.log)
        var count = 0
        let signs = SignWatch(context, loop, Buses(loop), display: ":0", memory: ProcessReadings(Buses(loop)))
        { _ throws(SystemError) in
            count += 1
            if count == 2 { throw SystemError("pthread_create", EAGAIN) }
        }
        var found: [HookInput] = []
        signs.report = { found.append($0) }
        let names: Set = ["A", "B", "C"]
        signs.watch(Dictionary(uniqueKeysWithValues: names.map { ($0, []) }), frozen: names)
        try signs.prepare(for: names)
        signs.add(Dictionary(uniqueKeysWithValues: names.map { ($0, ([], roots: [getpid()])) }))
        #expect(count == 3 && signs.programs.names == names)
        guard found.count == 1, case .sign(["B"], because: .unwatched) = found[0] else {
            throw Failure("\(found)")
        }
        #expect(said.all.count == 1)
        #expect(
            said.all.first?.contains("hooks: B does not stay frozen: pthread_create") == true, "\(said.all)")
    }

    /// Whether a program has its name and its variables, which the kernel sets a moment later.
    private func isStarted(_ program: Child, _ name: String) -> Bool {
        ProcessTable.row(of: program.pid)?.name == name && Environment(of: program.pid)?["DISPLAY"] != nil
    }

    private func secondStarts(of program: FrozenProgram) -> [Int32] {
        program.possibleStarts(in: .current()).filter {
            FrozenProgram.isSecondStart($0.pid, of: $1, on: DisplayFileName(":0"))
        }.map(\.key.pid)
    }

    /// Programs in several files may have one name, and one file several names, as busybox has. A program that is not
    /// frozen starts further processes of its own.
    @Test(arguments: [("app", true), ("alias", false), ("other/app", false), ("child", false)])
    func onlyTheSameFileUnderTheSameNameIsASecondStart(way: String, isOne: Bool) throws {
        // No shell by its name, which is that of many programs.
        _ = try Child.run("cp", ["/bin/sh", folder("app")])
        mkdir(folder("other"), 0o700)
        _ = try Child.run("cp", ["/bin/sh", folder("other/app")])
        symlink(folder("app"), folder("alias"))
        let pipe = try Pipe()
        func start(_ name: String, _ script: String) throws -> Child {
            try Child(folder(name), ["-c", script], environment: ["DISPLAY": ":0"], stdin: pipe.reading)
        }
        let (new, pid) = (folder("new"), folder("pid"))
        let child = "\(folder("app")) -c 'echo $$ >\(new); mv \(new) \(pid); read line'"
        let script = "read line; \(child); :"
        let first = try start("app", script)
        #expect(waitUntil { isStarted(first, "app") })
        let started = try #require(ProcessTable.row(of: first.pid)).identity.started
        #expect(waitUntil { Clock.sinceBoot() > started + .milliseconds(20) })
        let program = FrozenProgram([first.pid], roots: [first.pid], since: Clock.sinceBoot(), among: [])
        var second: Child?
        if way == "child" {
            try #require(write(pipe.writing, "\n", 1) == 1)
            #expect(waitUntil { access(pid, R_OK) == 0 })
        } else {
            second = try start(way, "read line; :")
            let program = try #require(second)
            #expect(waitUntil { isStarted(program, way == "alias" ? way : "app") })
        }
        #expect(secondStarts(of: program) == (isOne ? [second?.pid].compactMap(\.self) : []))
        withExtendedLifetime((first, second)) {}
    }

    /// With a copy of the shell, since other tests start scripts, too.
    @Test(arguments: ["own", "other"]) func onlyTheSameScriptIsASecondStart(name: String) throws {
        _ = try Child.run("cp", ["/bin/sh", folder.path])
        for script in ["own", "other"] { try folder.write(script, "read line\n") }
        let pipe = try Pipe()
        func start(_ script: String) throws -> Child {
            try Child(
                folder("sh"), [folder(script)], environment: ["DISPLAY": ":0"], stdin: pipe.reading)
        }
        let first = try start("own")
        #expect(waitUntil { ProcessTable.row(of: first.pid)?.name == "sh" })
        // The kernel keeps start times in hundredths of a second.
        let started = try #require(ProcessTable.row(of: first.pid)).identity.started
        #expect(waitUntil { Clock.sinceBoot() > started + .milliseconds(20) })
        let program = FrozenProgram([first.pid], roots: [first.pid], since: Clock.sinceBoot(), among: [])
        let second = try start(name)
        #expect(waitUntil { isStarted(second, "sh") })
        #expect(secondStarts(of: program) == (name == "own" ? [second.pid] : []))
        withExtendedLifetime(first) {}
    }
}

extension Descriptor {
    fileprivate static func listening(at path: SystemString) throws -> Descriptor {
        let socket = try Descriptor.localSocket(SOCK_STREAM)
        try #require(withSocketAddress(path) { bind(socket.number, $0, $1) } == 0)
        try #require(listen(socket.number, 1) == 0)
        return socket
    }

    fileprivate static func connected(to path: SystemString) throws -> Descriptor {
        let socket = try Descriptor.localSocket(SOCK_STREAM)
        try #require(withSocketAddress(path) { connect(socket.number, $0, $1) } == 0)
        return socket
    }
}
