import TestDesktop
import Testing

extension DesktopTests {
    /// What policies, steps and settling make of the same actions.
    @Suite struct Options {
        @Test func stepwiseItPassesThroughInactive() throws {
            let session = try Session(.openbox, ["--stepwise"])
            let alpha = try session.open("Alpha")
            #expect(
                try session.applications { alpha.iconify() } == [
                    "Alpha active→inactive iconify", "Alpha inactive→background iconify",
                ])
            #expect(
                try session.applications { alpha.activate() } == [
                    "Alpha background→inactive deiconify", "Alpha inactive→active deiconify",
                ])
        }

        @Test func withoutSettlingEveryStepIsTold() throws {
            let session = try Session(.none, settle: "0")
            let alpha = try session.open("Alpha")
            let lines = try session.applications {
                alpha.unmap()
                alpha.map()
                try session.settle()
                alpha.unmap()
            }
            #expect(lines.last == "Alpha background→ close")
        }

        @Test func aLongerSettlingIsWaitedFor() throws {
            let session = try Session(.openbox, settle: "3s")
            let alpha = try session.open("Alpha")
            // So long hidden would be told with the default.
            let lines = try session.applications {
                alpha.iconify()
                guard session.wait(for: alpha, onScreen: false) else { throw Failure("not iconified") }
                try session.pass(.milliseconds(300))
                alpha.activate()
            }
            #expect(lines.isEmpty)
        }
    }
}

extension Session {
    /// Waits, as a part of an action.
    func pass(_ time: Duration) throws {
        _ = waitUntil(within: time) { false }
    }
}
