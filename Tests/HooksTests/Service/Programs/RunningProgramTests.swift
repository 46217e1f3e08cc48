import Glibc
import PhaseWatch
import TestDesktop
import Testing

@testable import Hooks
@testable import Scenes
@testable import Service
@testable import System

/// The signals and the ends of programs. The tests of `xphase run` cover the rest.
@Suite struct RunningProgramTests {
    private func start(_ words: [SystemString]) throws(SystemError) -> RunningProgram {
        try RunningProgram(
            1,
            Job(
                hook: .run("sync"), part: .run,
                trigger: HookTrigger(change: .step("A", from: .active, to: .background), time: .zero)),
            words, environment: Environment.own.entries, directory: "/", timeout: .seconds(30)
        ) { _, _, _ in }
    }

    private func start(_ script: String) throws -> RunningProgram {
        try start(["sh", "-c", SystemString(script)])
    }

    private func end(of program: RunningProgram) throws -> Outcome {
        try waitForExit(of: program)
        return program.end().outcome
    }

    private func waitForExit(of program: RunningProgram) throws {
        var request = pollfd(fd: program.exit.number, events: Int16(POLLIN), revents: 0)
        try #require(poll(&request, 1, 20_000) == 1)
    }

    /// Waits until the program has printed something.
    private func waitForOutput(of program: RunningProgram) throws {
        let output = try #require(program.output)
        var byte: UInt8 = 0
        try #require(waitUntil { read(output.number, &byte, 1) == 1 })
    }

    @Test func whatIgnoresTermIsKilled() throws {
        let program = try start("trap '' TERM; echo ready; while :; do sleep 1; done")
        try waitForOutput(of: program)
        program.signal(because: .timedOut)
        #expect(program.deadline != nil)
        program.signal(because: .timedOut)
        #expect(program.deadline == nil)
        #expect(try end(of: program) == .timedOut)
    }

    @Test func whatTakesTermIsOverWithTheLastOfItsGroup() throws {
        let program = try start("sleep 1000 & sleep 1000 & echo ready; wait")
        try waitForOutput(of: program)
        program.signal(because: .timedOut)
        try waitForExit(of: program)
        while !program.isGroupOver() { try waitForExit(of: program) }
        #expect(program.deadline == nil)
        #expect(program.end().outcome == .timedOut)
    }

    @Test func aProgramThatHasLeftItsGroupTakesTermToo() throws {
        let leave =
            "import os, signal; os.setpgid(0, os.getpgid(os.getppid())); print(flush=True); signal.pause()"
        let program = try start(["python3", "-c", SystemString(leave)])
        try waitForOutput(of: program)
        program.signal(because: .timedOut)
        #expect(try end(of: program) == .timedOut)
    }

    @Test func theSignalThatEndsItIsKnown() throws {
        #expect(try end(of: start("kill -SEGV $$")) == .killed(signal: SIGSEGV))
    }

    @Test func aStoppedProgramTakesTermToo() throws {
        let program = try start("kill -STOP $$; echo on")
        let pid = try #require(program.identity?.pid)
        try #require(waitUntil { ProcessTable.row(of: pid)?.isStopped == true })
        program.signal(because: .timedOut)
        #expect(try end(of: program) == .timedOut)
    }

    @Test(arguments: [(EMFILE, "ulimit -n"), (EAGAIN, "ulimit -u"), (ENFILE, "fs.file-max")])
    func aLimitIsNamed(code: Int32, limit: String) {
        let failure = SystemError.start("sync", .call("pipe2", code))
        #expect(failure.isTemporary && failure.description.hasPrefix("cannot start sync: "))
        #expect(failure.description.contains(limit))
    }

    @Test func whatIsNoProgramIsReported() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("script", "echo hello\n")
        chmod(path, 0o755)
        for (program, fault) in [
            (path, "which begins with a line like '#!/bin/sh'"),
            ("no such program", "cannot start 'no such program': No such file or directory"),
        ] {
            let failure = #expect(throws: SystemError.self) { try start([SystemString(program)]) }
            #expect(failure?.description.hasSuffix(fault) == true && failure?.isTemporary == false)
        }
    }
}
