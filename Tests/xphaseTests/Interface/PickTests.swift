import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// `--pick`, with which the next click chooses the window.
    @Suite struct Pick {
        /// Starts a command with `--pick`, waits for its grabs, and runs actions of xdotool.
        private static func pick(
            _ arguments: [String], on stage: Stage, _ actions: String
        ) throws -> (code: Int32, output: [String], errors: [String]) {
            let program = try Program(
                XPhase.path, arguments + ["--pick"], environment: stage.display.environment)
            // xphase grabs the keyboard after the pointer.
            guard waitUntil({ stage.client.isPointerGrabbed && stage.client.isKeyboardGrabbed }) else {
                throw Failure("nothing takes the pointer and the keys")
            }
            try stage.display.run("xdotool \(actions)")
            let output = try program.output.rest()
            return (try program.exitCode(), output, try program.errors.rest())
        }

        /// The window under the pointer does not receive the click. A frame stands for its window.
        @Test(arguments: [(WindowManager.none, 100), (.openbox, 100), (.openbox, 36), (.i3, 100)])
        func aClickIntoAWindowOrItsFrameChoosesIt(_ kind: WindowManager, _ y: Int) throws {
            let stage = try Stage(kind)
            let window = try stage.show(.init("Alpha"))
            let result = try Self.pick(["explain", "--json"], on: stage, "mousemove 100 \(y) click 1")
            #expect(result.code == 0 && result.errors.isEmpty)
            #expect(result.output.contains { $0.contains(#""window":"\#(window.name)""#) })
            #expect(!stage.client.isPointerGrabbed && !stage.client.isKeyboardGrabbed)
        }

        @Test(arguments: [
            ("mousemove 600 400 click 1", "the click was not on a window of an application"),
            ("key Escape", "no window was chosen"), ("mousemove 100 100 click 3", "no window was chosen"),
            ("key a mousemove 100 100 click 2", "no window was chosen"),
        ])
        func aPickWithoutAWindowExits1(_ actions: String, _ message: String) throws {
            let stage = try Stage(.openbox)
            try stage.show(.init("Alpha"))
            let result = try Self.pick(["explain"], on: stage, actions)
            #expect(result.code == 1 && result.output.isEmpty)
            #expect(result.errors.count == 1 && result.errors[0].contains(message), "\(result.errors)")
        }

        @Test func aPointerThatIsHeldIsReportedWithWhatToDo() throws {
            let stage = try Stage(.none)
            stage.client.grabPointer()
            let result = try XPhase.run(["explain", "--pick"], on: stage.display)
            #expect(result.code == 71)
            #expect(
                result.errors.count == 1
                    && result.errors[0].contains(
                        "another program has grabbed the pointer: close the open menu")
            )
        }

        @Test(arguments: [SIGINT, SIGTERM])
        func aSignalEndsItAndGivesThePointerBack(_ signal: Int32) throws {
            let stage = try Stage(.openbox)
            let program = try Program(
                XPhase.path, ["explain", "--pick"], environment: stage.display.environment)
            #expect(waitUntil { stage.client.isPointerGrabbed })
            try program.end(signal)
            #expect(waitUntil { !stage.client.isPointerGrabbed })
        }
    }
}
