import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Applications and windows as arguments.
    @Suite struct SubjectTests {
        private let stage: Stage
        private let alpha: TestWindow
        private let beta: TestWindow

        /// Opens Alpha, which is active, has the instance `one`, and Beta on another
        /// desktop.
        init() throws {
            stage = try Stage(.openbox)
            beta = try stage.show(.init("Beta"), x: 300)
            beta.moveToDesktop(1)
            try stage.wait(for: "Beta", "background")
            alpha = try stage.show(.init("Alpha", instance: "one"))
            try stage.wait(for: "Alpha", "active")
        }

        @Test func whatIsNamedIsWatched() throws {
            for (words, scene) in [
                (["al*"], nil), (["o?e"], nil), (["gamma,/^alph/"], nil), ([alpha.name], alpha.name),
            ] {
                let watch = try XPhase.start(["watch", "--json"] + words, on: stage.display)
                let line = try watch.output.next().map { try Line($0) }
                #expect(line?.application == "Alpha" && line?.scene == scene, "\(words)")
                try watch.end(SIGTERM)
                #expect(try watch.output.rest().isEmpty)
            }
        }

        @Test func aNameThatMatchesNothingIsReportedAtTheStart() throws {
            let watch = try XPhase.start(["watch", "alpah,be*"], on: stage.display)
            #expect(
                try watch.errors.next() == "xphase: no application matches 'alpah': did you mean 'Alpha'?")
            #expect(try watch.output.next()?.contains("Beta") == true)
            try watch.end(SIGTERM)
        }

        @Test func aWindowIsNamedByItsID() throws {
            func lines(_ words: String...) throws -> [String] {
                let result = try XPhase.run(words, on: stage.display)
                #expect(result.code == 0 && result.errors.isEmpty, "\(result)")
                return result.output
            }
            #expect(try lines("phase", alpha.name) == ["active"])
            #expect(try lines("phase", "\(beta.id)") == ["background"])
            #expect(try lines("wait", beta.name, "background").isEmpty)
            let list = try lines("list", "--json", alpha.name).map { try Line($0) }
            #expect(list.map(\.kind) == ["scene", "group", "application"] && list[0].scene == alpha.name)

            var properties = TestWindow.Properties("Beta")
            properties.transientFor = beta.id
            let dialog = TestWindow(stage.client, properties, colour: 0x70_60_50)
            dialog.map()
            // openbox frames the dialog after a moment.
            try #require(waitUntil { dialog.parent != stage.client.root })
            dialog.moveToDesktop(1)
            let parts = [(alpha.child(depth: 3), alpha), (alpha.parent, alpha), (dialog.id, beta)]
            for (part, window) in parts + [(dialog.child(), beta), (dialog.parent, beta)] {
                #expect(part != stage.client.root && part != window.id)
                let phase = window === alpha ? "active" : "background"
                #expect(try lines("phase", "\(part)") == [phase])
                #expect(try lines("wait", "\(part)", phase).isEmpty)
                let list = try lines("list", "--json", "--level", "scene", "\(part)").map { try Line($0) }
                #expect(list.map(\.scene) == [window.name])
            }
            // Where an application is wanted, it is that of the window.
            let watch = try XPhase.start(
                ["watch", "--json", "--level", "application", beta.name], on: stage.display)
            #expect(try watch.output.next().map { try Line($0).application } == "Beta")
            try watch.end(SIGTERM)
            let on = try XPhase.start(["on", "\(dialog.id)", "active", "--", "true"], on: stage.display)
            #expect(try on.errors.next()?.hasSuffix("now: Beta (background)") == true)
            try on.end(SIGTERM)
            let both = try lines("explain", "--json", "\(alpha.name),be*").joined()
            #expect([alpha.name, beta.name, "0x" + String(dialog.id, radix: 16)].allSatisfy(both.contains))

            let none = try XPhase.run(["phase", "0x1"], on: stage.display)
            #expect(none.code == 1 && none.errors == ["xphase: no scene has the window 0x1"])
        }
    }
}
