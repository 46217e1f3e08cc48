import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// How a watch ends, and what it does while nothing happens.
    @Suite struct End {
        @Test(arguments: [SIGINT, SIGTERM])
        func aSignalEndsItWith0(_ signal: Int32) throws {
            let session = try Session()
            session.watch.send(signal)
            #expect(try session.watch.exitCode() == 0)
            #expect(try session.watch.errors.rest().isEmpty)
        }

        @Test func aReaderThatGoesAwayEndsItWith0ThoughNothingHappens() throws {
            let session = try Session()
            session.watch.output.close()
            #expect(try session.watch.exitCode() == 0)
            #expect(try session.watch.errors.rest().isEmpty)
        }

        @Test(arguments: [["watch"], ["list"]])
        func aReaderThatWasNeverThereEndsItWith0(_ arguments: [String]) throws {
            let stage = try Stage(.openbox)
            try stage.show(.init("Alpha"))
            let program = try XPhase.start(arguments, on: stage.display)
            program.output.close()
            #expect(try program.exitCode() == 0)
            #expect(try program.errors.rest().isEmpty)
        }

        @Test(arguments: [["watch"], ["list"], ["--help"]])
        func aFullDiskEndsItWith74(_ arguments: [String]) throws {
            let stage = try Stage(.openbox)
            try stage.show(.init("Alpha"))
            let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
            defer { close(full) }
            let program = try XPhase.start(arguments, on: stage.display, stdout: full)
            #expect(try program.exitCode() == 74)
            #expect(
                try program.errors.rest() == [
                    "xphase: cannot write to standard output: No space left on device"
                ])
        }

        @Test func aReaderThatStopsReadingDoesNotKeepItFromEnding() throws {
            let session = try Session(.none, ["--settle", "0", "--level", "scene"])
            let alpha = session.window(.init("Alpha"))
            // More lines than a pipe holds.
            for _ in 1...1500 {
                alpha.map()
                alpha.unmap()
            }
            session.watch.send(SIGTERM)
            #expect(try session.watch.exitCode() == 0)
            for line in try session.watch.output.rest() { _ = try Line(line) }
        }

        @Test func doesNotWakeWhileNothingHappens() throws {
            let session = try Session(.openbox)
            try session.open("Alpha")
            #expect(try waitUntil { try session.watch.status("State").contains("S") })
            let sleeps = try session.watch.status("voluntary_ctxt_switches")
            let wakes = try waitUntil(within: .seconds(3)) {
                try session.watch.status("voluntary_ctxt_switches") != sleeps
            }
            #expect(!wakes)
        }
    }
}

extension Program {
    /// A line of what the kernel tells of it.
    fileprivate func status(_ name: String) throws -> String {
        let lines = try Program.run("grep", ["^\(name):", "/proc/\(pid)/status"]).output
        guard let line = lines.first else { throw Failure("\(self.name) does not run") }
        return line
    }
}
