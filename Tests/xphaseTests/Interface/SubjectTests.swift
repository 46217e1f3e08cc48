import Glibc
import TestDesktop
import Testing

/// Applications and windows as arguments.
@Suite struct SubjectTests {
    private let stage: Stage
    private let alpha: TestWindow
    private let beta: TestWindow

    /// Opens Alpha, which is active and has the instance `one`, and Beta on another desktop.
    init() throws {
        (stage, alpha) = try Stage.alpha(instance: "one")
        beta = try stage.show(.init("Beta"), x: 300)
        beta.moveToDesktop(1)
        try stage.wait(for: "Beta", "background")
        try stage.focus(alpha, "Alpha")
    }

    @Test func whatIsNamedIsWatched() throws {
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
            #expect(words != "alpah,be*" || errors.first == missing, "\(errors)")
        }
    }

    @Test func aWindowIsNamedByItsID() throws {
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
        let both = try stage.output("explain --json \(alpha.name),be*").joined()
        #expect([alpha.name, beta.name, dialog.name].allSatisfy(both.contains))
        try stage.expect("phase 0x1", code: 1, errors: ["xphase: no scene has the window 0x1"])
    }
}
