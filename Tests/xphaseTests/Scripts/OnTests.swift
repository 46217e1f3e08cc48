import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The commands that `xphase on` runs, and when.
    @Suite struct OnCommand {
        /// Opens two windows, of which Alpha has the focus.
        private static func stage() throws -> (stage: Stage, alpha: TestWindow) {
            let stage = try Stage(.openbox)
            try stage.show(.init("Beta"), x: 300)
            let alpha = try stage.show(.init("Alpha", instance: "part"))
            try stage.wait(for: "Alpha", "active")
            return (stage, alpha)
        }

        /// Starts `xphase on` with a command that prints its phase, and waits for the first one.
        private static func start(
            _ phases: String, _ options: [String], _ script: String, on stage: Stage
        ) throws -> Program {
            let program = try XPhase.start(
                ["on", "al*,gamma", phases, "--initial"] + options + ["--", "sh", "-c", script],
                on: stage.display)
            #expect(try program.output.next() == "active")
            return program
        }

        /// Even if it fails each time.
        @Test func itRunsForEachOfItsPhasesAndNothingElse() throws {
            let (stage, alpha) = try Self.stage()
            let on = try Self.start("active,background", [], "echo $XPHASE_TO; exit 3", on: stage)
            try stage.hide(alpha, "Alpha")
            #expect(try on.output.next() == "background")
            try stage.focus(alpha, "Alpha")
            #expect(try on.output.next() == "active")
            on.send(SIGTERM)
            #expect(try on.exitCode() == 0)
            #expect(try on.output.rest().isEmpty)
            let failures = try on.errors.rest().filter { $0.hasPrefix("xphase: hook 'on': exit 3 after ") }
            #expect(failures.count >= 2)
        }

        @Test func whatIsSoAtTheStartIsNoChange() throws {
            let (stage, alpha) = try Self.stage()
            // Named by the instance, which the class does not contain.
            let script = "echo $XPHASE_FROM to $XPHASE_TO"
            let on = try XPhase.start(
                ["on", "PART", "active,background", "--", "sh", "-c", script], on: stage.display)
            // It is unknown when xphase has read the initial state, so the phase changes until a change is reported.
            // Each phase is held meanwhile, since a phase that ends before it has settled is not reported.
            var line: String?
            var isHidden = false
            let isReported = try waitUntil {
                isHidden.toggle()
                if isHidden { try stage.hide(alpha, "Alpha") } else { try stage.focus(alpha, "Alpha") }
                line = try? on.output.next(within: .seconds(2))
                return line != nil
            }
            try #require(isReported)
            #expect(line == "active to background" || line == "background to active")
        }

        @Test func itReportsWhatItWaitsFor() throws {
            let (stage, _) = try Self.stage()
            func first(_ count: Int, _ application: String) throws -> [String?] {
                let on = try XPhase.start(
                    ["on", application, "background", "--", "true"], on: stage.display)
                defer { on.send(SIGTERM) }
                return try (0..<count).map { _ in try on.errors.next() }
            }
            #expect(
                try first(1, "al*")
                    == ["xphase: waiting for al* to enter background; now: Alpha (active)"])
            #expect(
                try first(2, "Alhpa") == [
                    "xphase: no application matches 'Alhpa': did you mean 'Alpha'?",
                    "xphase: waiting for one to start and enter background",
                ])
        }

        @Test func theCommandHasTheEnvironmentOfAHook() throws {
            let (stage, alpha) = try Self.stage()
            let script = "echo $XPHASE_TO; echo $XPHASE_HOOK $XPHASE_KIND $XPHASE_CAUSE $DISPLAY; cat"
            let on = try Self.start("active", ["--display", stage.display.name], script, on: stage)
            #expect(try on.output.next() == "on application start \(stage.display.name)")
            #expect(try on.output.next()?.contains(#""to":"active","cause":"start""#) == true)
            withExtendedLifetime(alpha) {}
        }

        @Test func afterATimeItRunsOnlyIfItIsStillSo() throws {
            let (stage, alpha) = try Self.stage()
            let late = try XPhase.start(
                ["on", "alpha", "active", "--initial", "--after", "10m", "--", "echo", "ran"],
                on: stage.display)
            try late.waitForTimer(ofAtLeast: 60)
            try stage.hide(alpha, "Alpha")
            try late.waitForError("xphase: hook 'on': does not run for Alpha: active did not last for 10m")
            late.send(SIGINT)
            #expect(try late.exitCode() == 0)
            #expect(try late.output.rest().isEmpty)
        }
    }
}
