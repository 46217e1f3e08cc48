import CXlib
import Glibc
import TestDesktop
import Testing

extension ProgramTests {
    /// A global hotkey with a modifier, which goes to the focused window first.
    @Suite struct HotkeyTests {
        @Test(arguments: [WindowManager.openbox, .i3, .xfwm4])
        func everyPressFreezesOrThawsWhatHasTheFocus(manager: WindowManager) throws {
            let hooks = try HookSession("", manager: manager)
            let program = try ProgramWindow.terminal(hooks.session)
            try hooks.session.settle { program.activate() }
            let client = hooks.session.client
            client.grabKey("F9", with: Mod4Mask)
            var said: [String] = []
            for press in 1...20 {
                try hooks.session.display.run("xdotool keydown Super_L key F9")
                #expect(waitUntil { !client.takeKeyPresses().isEmpty })
                let toggle = try hooks.xphase("freeze", "--toggle", "--focused")
                said += toggle.output + toggle.errors
                try hooks.session.display.run("xdotool keyup Super_L")
                #expect(try waitUntil { try program.isStopped == (press % 2 == 1) }, "press \(press)")
            }
            #expect(said == (1...20).map { "XTerm \($0 % 2 == 1 ? "frozen" : "thawed")" })
            try hooks.end()
        }
    }
}
