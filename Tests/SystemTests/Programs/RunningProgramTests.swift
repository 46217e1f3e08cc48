import Glibc
import TestDesktop
import Testing

@testable import System

/// How the kernel runs a hook. The tests of `xphase run` cover the rest.
@Suite struct RunningProgramTests {
    private func start(_ script: String, input: String = "") throws -> RunningProgram {
        try RunningProgram(
            ["sh", "-c", SystemString(script)], environment: ["PATH=/usr/bin:/bin"], input: Array(input.utf8),
            directory: "/", timeout: .seconds(30), at: .zero)
    }

    private func output(of program: RunningProgram) throws -> String {
        try waitForExit(of: program)
        let bytes = try program.output?.readAll("output", limit: 4096) ?? []
        return String(decoding: bytes, as: UTF8.self)
    }

    private func end(of program: RunningProgram) throws -> RunningProgram.Ending {
        try waitForExit(of: program)
        return program.reap()
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

    @Test func itReadsItsInputAndItsOutputIsOne() throws {
        let program = try start("cat; echo error >&2; exit 4", input: "line\n")
        #expect(try output(of: program) == "line\nerror\n")
        #expect(try end(of: program) == .exited(4))
    }

    @Test func itLeadsAProcessGroup() throws {
        let program = try start("ps -o pgid= -p $$; echo $$")
        let lines = try output(of: program).split(whereSeparator: \.isWhitespace)
        #expect(lines.count == 2 && lines[0] == lines[1])
        #expect(try end(of: program) == .exited(0))
    }

    @Test func whatIgnoresTermIsKilled() throws {
        let program = try start("trap '' TERM; echo ready; while :; do sleep 1; done")
        try waitForOutput(of: program)
        program.signal(at: .seconds(30), isTimeout: true)
        #expect(program.stage == .terminated)
        #expect(program.deadline == .seconds(32))
        program.signal(at: .seconds(32), isTimeout: true)
        #expect(program.deadline == nil)
        #expect(try end(of: program) == .timedOut)
    }

    @Test func whatTakesTermIsOverWithTheLastOfItsGroup() throws {
        let program = try start("sleep 1000 & sleep 1000 & echo ready; wait")
        try waitForOutput(of: program)
        program.signal(at: .seconds(30), isTimeout: true)
        try waitForExit(of: program)
        while !program.isOver(at: .seconds(30)) { try waitForExit(of: program) }
        #expect(program.stage == .killed)
        #expect(program.reap() == .timedOut)
    }

    @Test func whatIgnoresTermBehindItIsWaitedFor() throws {
        let program = try start("(trap '' TERM; echo ready; while :; do sleep 1; done) & wait")
        try waitForOutput(of: program)
        program.signal(at: .seconds(30), isTimeout: true)
        try waitForExit(of: program)
        #expect(!program.isOver(at: .seconds(30)))
        #expect(program.hasEnded)
        #expect(program.deadline == .seconds(32))
        program.signal(at: .seconds(32), isTimeout: true)
        #expect(try end(of: program) == .timedOut)
    }

    @Test func aStoppedProgramTakesTermToo() throws {
        let program = try start("kill -STOP $$; echo on")
        let pid = try #require(program.identity?.pid)
        try #require(waitUntil { ProcessTable.row(of: pid)?.isStopped == true })
        program.signal(at: .zero, isTimeout: true)
        #expect(try end(of: program) == .timedOut)
    }

    @Test func aSignalComesOnce() throws {
        // A real-time signal that is sent twice is queued twice. Two pending standard signals merge into one.
        let realTime: Int32 = 40
        let program = try RunningProgram(
            [
                "python3", "-c",
                """
                import signal, sys
                signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, 40})
                print("ready", flush=True)
                signal.sigwait({signal.SIGTERM})
                count = 0
                while signal.sigtimedwait({40}, 0): count += 1
                sys.exit(count)
                """,
            ], environment: Environment.own.entries, input: [], directory: "/", timeout: .seconds(30),
            at: .zero)
        try waitForOutput(of: program)
        program.passOn(realTime)
        program.passOn(SIGTERM)
        #expect(try end(of: program) == .exited(1))
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
            let failure = #expect(throws: SystemError.self) {
                try RunningProgram(
                    [SystemString(program)], environment: [], input: [], directory: "/",
                    timeout: .seconds(1), at: .zero)
            }
            #expect(failure?.description.hasSuffix(fault) == true && failure?.isTemporary == false)
        }
    }
}
