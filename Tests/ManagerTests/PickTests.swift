import TestDesktop
import Testing

extension UnderManagers {
    /// A click chooses a window, whatever frame or decoration the manager adds.
    @Suite struct PickTests {
        @Test(arguments: Manager.tested)
        func aClickIntoAWindowChoosesIt(_ manager: Manager) async throws {
            try await UnderManagers.executor.run {
                let rig = try Rig(manager)
                try rig.openAll()
                try rig.perform([.focus("alpha")])
                let window = rig.window("alpha")
                let middle = rig.client.middle(of: window)
                let lines = try rig.pick(x: middle.x, y: middle.y)
                #expect(lines.contains { $0.contains(#""window":"\#(window.name)""#) }, "\(lines)")
            }
        }
    }
}

extension Rig {
    /// Returns the output of `xphase explain --json --pick` after a click on a place.
    fileprivate func pick(x: Int32, y: Int32) throws -> [String] {
        let program = try Program(
            Self.xphase, ["explain", "--json", "--pick"], environment: display.environment)
        guard waitUntil({ client.isPointerGrabbed && client.isKeyboardGrabbed }) else {
            throw Failure("nothing grabs the pointer and the keyboard: \(try program.errors.rest())")
        }
        let clicks = ["mousemove", "\(x)", "\(y)", "click", "1"]
        _ = try Program.run("xdotool", clicks, package: "xdotool", environment: display.environment)
        return try program.output.rest()
    }
}
