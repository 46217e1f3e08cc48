import Glibc
import TestDesktop
import Testing

/// `--pick`, with which the next click chooses the window.
struct PickTests {
    /// Starts a command with `--pick`, and waits for its grabs.
    private static func pick(on stage: Stage) throws -> Program {
        let program = try stage.start("explain --json --pick")
        // xphase grabs the keyboard after the pointer.
        guard waitUntil({ stage.client.isPointerGrabbed && stage.client.isKeyboardGrabbed }) else {
            throw Failure("nothing takes the pointer and the keys")
        }
        return program
    }

    /// The window under the pointer does not receive the click. A frame stands for its window.
    @Test(arguments: [(WindowManager.none, 100), (.openbox, 100), (.openbox, 36), (.i3, 100)])
    func aClickIntoAWindowOrItsFrameChoosesIt(_ kind: WindowManager, _ y: Int) throws {
        let (stage, alpha) = try Stage.alpha(kind)
        let pick = try Self.pick(on: stage)
        try stage.display.run("xdotool mousemove 100 \(y) click 1")
        #expect(try pick.output.rest().joined().contains(#""window":"\#(alpha.name)""#))
        #expect(try pick.exitCode() == 0 && pick.errors.rest().isEmpty)
        #expect(!stage.client.isPointerGrabbed && !stage.client.isKeyboardGrabbed)
    }

    @Test(arguments: [
        ("mousemove 600 400 click 1", "the click was not on a window of an application"),
        ("key Escape", "no window was chosen"), ("mousemove 100 100 click 3", "no window was chosen"),
        ("key a mousemove 100 100 click 2", "no window was chosen"),
    ])
    func aPickWithoutAWindowExits1(_ actions: String, _ message: String) throws {
        let (stage, _) = try Stage.alpha()
        let pick = try Self.pick(on: stage)
        try stage.display.run("xdotool \(actions)")
        #expect(try pick.exitCode() == 1 && pick.output.rest().isEmpty)
        let errors = try pick.errors.rest()
        #expect(errors.count == 1 && errors[0].contains(message), "\(errors)")
    }

    @Test func aPointerThatIsHeldIsReportedWithWhatToDo() throws {
        let stage = try Stage(.none)
        stage.client.grabPointer()
        let result = try stage.run("explain --pick")
        let message = "another program has grabbed the pointer: close the open menu"
        #expect(result.code == 71 && result.errors.count == 1 && result.errors[0].contains(message))
    }

    @Test(arguments: [SIGINT, SIGTERM]) func aSignalEndsItAndGivesThePointerBack(_ signal: Int32) throws {
        let stage = try Stage(.openbox)
        try Self.pick(on: stage).end(signal)
        #expect(waitUntil { !stage.client.isPointerGrabbed })
    }
}
