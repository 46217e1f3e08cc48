import Glibc
import TestDesktop
import Testing

/// Applications and windows as arguments.
struct SubjectTests {
    @Test func namedApplicationsAreWatchedAndAWindowIsNamedByItsID() throws {
        let (stage, alpha) = try Stage.alpha(instance: "one")
        let beta = try stage.show(.init("Beta"), x: 300)
        beta.moveToDesktop(1)
        try stage.wait(for: "Beta", "background")
        try stage.focus(alpha, "Alpha")
        for (words, application, scene) in [
            ("al*", "Alpha", nil), ("o?e", "Alpha", nil), ("gamma,/^alph/", "Alpha", nil),
            (alpha.name, "Alpha", alpha.name), ("alpah,be*", "Beta", nil),
            ("--level application \(beta.name)", "Beta", nil),
        ] {
            let watch = try stage.start("watch --json \(words)")
            let line = try watch.output.next().map { try Line($0) }
            #expect(line?.application == application && line?.scene == scene, "\(words)")
            try watch.end(SIGTERM)
            #expect(try watch.output.rest().isEmpty)
            let errors = try watch.errors.rest()
            let missing = "xphase: no application matches 'alpah': did you mean 'Alpha'?"
            #expect(words != "alpah,be*" || errors.first?.hasPrefix(missing) == true, "\(errors)")
        }
        var properties = TestWindow.Properties("Beta")
        properties.transientFor = beta.id
        let dialog = TestWindow(stage.client, properties, colour: 0x70_60_50)
        dialog.map()
        // openbox frames the dialog after a moment.
        try #require(waitUntil { dialog.parent != stage.client.root })
        dialog.moveToDesktop(1)
        try stage.expect("phase \(alpha.name)", output: ["active"])
        for (part, window) in [
            (alpha.id, alpha), (alpha.child(depth: 3), alpha), (alpha.parent, alpha), (beta.id, beta),
            (dialog.id, beta), (dialog.child(), beta), (dialog.parent, beta),
        ] {
            let phase = window === alpha ? "active" : "background"
            try stage.expect("phase \(part)", output: [phase])
            try stage.expect("wait \(part) \(phase)")
            let list = try stage.output("list --json \(part)").map { try Line($0) }
            #expect(list.map(\.kind) == ["scene", "group", "application"] && list[0].scene == window.name)
        }
        // Where an application is wanted, it is that of the window.
        let on = try stage.start("on \(dialog.id) active -- true")
        #expect(try on.errors.next()?.hasSuffix("now: Beta (background)") == true)
        // A name that matches nothing beside another.
        for command in ["wait alpah,be* background", "list alpah,be*"] {
            #expect(try stage.run(command).errors.first?.hasSuffix("'alpah': did you mean 'Alpha'?") == true)
        }
        let both = try stage.output("explain --json \(alpha.name),be*").joined()
        #expect([alpha.name, beta.name, dialog.name].allSatisfy(both.contains))
        try stage.expect("phase 0x1", code: 1, errors: ["xphase: no scene has the window 0x1"])
    }
}

/// `--pick`, with which the next click chooses the window.
struct PickTests {
    /// Starts a command with `--pick`, and waits for its grabs.
    private static func pick(on stage: Stage) throws -> Program {
        let program = try stage.start("explain --json --pick")
        // xphase grabs the keyboard after the pointer.
        try #require(waitUntil { stage.client.isPointerGrabbed && stage.client.isKeyboardGrabbed })
        return program
    }

    /// The window under the pointer does not receive the click. A frame stands for its window.
    @Test(arguments: [(WindowManager.none, 100), (.openbox, 100), (.openbox, 36), (.i3, 100)])
    func aClickIntoAWindowOrItsFrameChoosesTheWindow(_ kind: WindowManager, _ y: Int) throws {
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

    @Test func aSignalGivesThePointerBackAndOneThatIsHeldIsReportedWithWhatToDo() throws {
        let stage = try Stage(.none)
        for signal in [SIGINT, SIGTERM] {
            try Self.pick(on: stage).end(signal)
            #expect(waitUntil { !stage.client.isPointerGrabbed })
        }
        stage.client.grabPointer()
        let result = try stage.run("explain --pick")
        let message = "another program has grabbed the pointer: close the open menu"
        #expect(result.code == 71 && result.errors.count == 1 && result.errors[0].contains(message))
    }
}
