import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// An X server that does not answer. `X11Tests` has one that a client has grabbed.
    @Suite struct StoppedServer {
        private let session: Session
        private let alpha: TestWindow

        init() throws {
            session = try Session()
            alpha = try session.open("Alpha")
        }

        /// Makes the server stop answering while `program` waits for a reply.
        private static func silence(_ session: Session, _ program: Program, _ window: TestWindow) throws {
            session.client.grabServer()
            let before = try program.sleeps()
            // xphase has to read the new class.
            window.setClass("other", "Other")
            guard try waitUntil({ try program.sleeps() > before }) else { throw Failure("nothing is read") }
            session.display.send(SIGSTOP)
        }

        private static func release(_ session: Session) {
            session.display.send(SIGCONT)
            session.client.releaseServer()
        }

        @Test func aSignalEndsTheWatch() throws {
            try Self.silence(session, session.watch, alpha)
            defer { Self.release(session) }
            session.watch.send(SIGTERM)
            #expect(try session.watch.exitCode() == 0)
        }

        @Test func openingADisplayTakesNoLongerThanTheTimeOfAWait() throws {
            session.display.send(SIGSTOP)
            defer { session.display.send(SIGCONT) }
            let patient = try XPhase.start(["list"], on: session.display)
            let wait = try XPhase.start(
                ["wait", "Alpha", "background", "--timeout", "1s"], on: session.display)
            #expect(try wait.exitCode() == 69)
            #expect(try wait.errors.rest().joined().contains("does not answer"))
            // The limit of `list` is 4 s.
            #expect(kill(patient.pid, 0) == 0 && waitpid(patient.pid, nil, WNOHANG) == 0)
            try patient.end()
        }

        @Test func itIsReportedOnceAndGoesOnThen() throws {
            try Self.silence(session, session.watch, alpha)
            var notice = ""
            while !notice.contains("\"notice\"") {
                notice = try #require(try session.watch.output.next())
            }
            #expect(notice.contains("\"notice\":\"server\"") && notice.contains("has not answered for 5 s"))
            Self.release(session)
            #expect(try session.settle().contains { $0.application == "Other" })
        }

        @Test func whatIsOwedIsLeftAtTheEnd() throws {
            let hooks = try HookSession(HookSession.pair(), manager: .none)
            let window = try hooks.session.open("Alpha")
            try hooks.session.settle { window.move(x: -5000, y: 0) }
            try hooks.home.waitForLines(["enter pair"])
            try Self.silence(hooks.session, hooks.run, window)
            defer { Self.release(hooks.session) }
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["enter pair", "leave pair"])
        }
    }
}

extension Program {
    /// Returns how often the program has gone to sleep.
    fileprivate func sleeps() throws -> Int {
        try Int(status("voluntary_ctxt_switches").split(whereSeparator: \.isWhitespace)[1]) ?? 0
    }
}
