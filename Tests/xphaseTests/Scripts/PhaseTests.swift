import TestDesktop
import Testing

extension DesktopTests {
    /// What `xphase phase` answers.
    @Suite struct PhaseCommand {
        private static func answer(_ arguments: String..., on stage: Stage) throws -> [String] {
            let result = try XPhase.run(["phase"] + arguments, on: stage.display)
            #expect(result.code == 0)
            #expect(result.errors.isEmpty)
            return result.output
        }

        @Test func itIsTheWordForWhatCanBeSeen() throws {
            let stage = try Stage(.openbox)
            try stage.show(.init("Alpha"))
            let beta = try stage.show(.init("Beta"), x: 300)
            try stage.wait(for: "Beta", "active")
            #expect(try Self.answer("Alpha", on: stage) == ["inactive"])
            #expect(try Self.answer("Alpha", "--policy", "visible", on: stage) == ["active"])
            beta.iconify()
            #expect(try waitUntil { try Self.answer("Beta", on: stage) == ["background"] })
        }

        @Test func anApplicationIsNamedByAGlobForItsClassOrAnInstance() throws {
            let stage = try Stage(.openbox)
            try stage.show(.init("Alpha", instance: "Navigator"))
            try stage.wait(for: "Alpha", "active")
            for glob in ["alpha", "ALPHA", "al*", "?lph[ab]", "navigator", "Navi*", "*"] {
                #expect(try Self.answer(glob, on: stage) == ["active"])
            }
        }

        @Test func ofSeveralItIsTheGreatest() throws {
            let stage = try Stage(.openbox)
            let alpha = try stage.show(.init("Alpha"))
            try stage.hide(alpha, "Alpha")
            let beta = try stage.show(.init("Beta"), x: 300)
            try stage.wait(for: "Beta", "active")
            #expect(try Self.answer("*", on: stage) == ["active"])
            try stage.hide(beta, "Beta")
            #expect(try Self.answer("*", on: stage) == ["background"])
        }

        @Test func whatIsNotThereExits1AndTheNearestIsNamed() throws {
            let stage = try Stage(.none)
            let nothing = try XPhase.run(["phase", "alpha"], on: stage.display)
            #expect(nothing.code == 1)
            #expect(nothing.errors == ["xphase: no application matches 'alpha': there is none"])
            for (instance, name) in [
                ("Navigator", "firefox-esr"), ("soffice", "libreoffice-writer"),
                ("nautilus", "Org.gnome.Nautilus"), ("mpv", "mpv"), ("evil", "e\u{1B}[2J"),
            ] {
                try stage.show(.init(name, instance: instance))
            }
            for (typed, near) in [
                ("fierfox", "firefox-esr"), ("firefox", "firefox-esr"), ("Firefox-ers", "firefox-esr"),
                ("navigater", "Navigator"), ("libre", "libreoffice-writer"), ("vpm", nil), ("mpc", "mpv"),
                ("nautlius", "Org.gnome.Nautilus"), ("gnmoe", "Org.gnome.Nautilus"), ("thunderbird", nil),
            ] {
                let result = try XPhase.run(["phase", typed], on: stage.display)
                #expect(result.code == 1)
                #expect(result.output.isEmpty)
                let all = "there are Org.gnome.Nautilus, e\\e[2J, firefox-esr, libreoffice-writer, mpv"
                let answer = near.map { "did you mean '\($0)'?" } ?? all
                #expect(result.errors == ["xphase: no application matches '\(typed)': \(answer)"])
                let wait = try XPhase.run(["wait", typed, "active"], on: stage.display)
                let explain = try XPhase.run(["explain", typed], on: stage.display)
                for same in [wait, explain] {
                    #expect(same.code == 1 && same.output.isEmpty && same.errors == result.errors)
                }
            }
        }

        @Test func ofManyApplicationsTheFirstAreNamed() throws {
            let stage = try Stage(.none)
            for number in 1...14 { stage.client.queueSmallWindow(className: "Many\(number)") }
            stage.client.sync()
            let result = try XPhase.run(["phase", "thunderbird"], on: stage.display)
            #expect(result.errors.first?.hasSuffix("Many4, Many5, Many6, Many7 and 2 more") == true)
        }
    }
}
