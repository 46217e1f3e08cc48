import Testing

@testable import Scenes

@Suite struct SceneTests {
    @Test func desktopsDocksAndOverrideRedirectWindowsAreNoScenes() {
        var desktop = Desktop.managed()
        desktop.add(.client(1).with { $0.kind = .desktop })
        desktop.add(.client(2).with { $0.kind = .accessory })
        desktop.add(.client(3).with { $0.isOverrideRedirect = true })
        desktop.screen.activeWindow = 1
        #expect(desktop.foundScenes(under: .visible).isEmpty)
    }

    @Test func aDialogOfADockIsASceneOfItsOwn() {
        var desktop = Desktop.managed()
        desktop.add(.client(1, "Panel").with { $0.kind = .accessory })
        desktop.add(.client(2, "Panel").with { $0.transientFor = 1 })
        #expect(desktop.phases() == [2: .inactive])
    }

    @Test(
        arguments: [
            ("Navigator", "Firefox", "firefox-bin", "Firefox", "Navigator"),
            (nil, "Firefox", "firefox-bin", "Firefox", "Firefox"),
            ("xmessage", nil, "x-exec", "x-exec", "xmessage"),
            (nil, nil, "x-exec", "x-exec", "x-exec"),
            (nil, nil, nil, "unknown", "unknown"),
            ("xmessage", nil, nil, "unknown", "xmessage"),
        ] as [(String?, String?, String?, String, String)])
    func aSceneBelongsToItsClassOrElseToItsExecutableOrElseToUnknown(
        instance: String?, class name: String?, executable: String?, application: String, group: String
    ) {
        var desktop = Desktop.managed()
        desktop.add(
            .client(1).with {
                $0.instanceName = instance
                $0.className = name
                $0.executable = executable
            })
        let scene = desktop.foundScenes(under: .focus)[WindowID(1)]
        #expect(scene?.group == GroupName(application: application, group: group))
    }

    @Test func theClassOfItsClientComesBeforeTheExecutable() {
        var text = WindowText()
        (text.ownerClass, text.executable) = ("Emacs", "emacs-gtk")
        #expect(text.application == "Emacs")
    }

    @Test func aChildOfTheRootWindowMovesAboveItsSibling() {
        var stacking = Stacking()
        stacking.replace(with: [1, 2, 3, 4])
        stacking.move(1, above: 3)
        #expect(stacking.order == [2, 3, 1, 4])
    }

    @Test func anIdIsReportedAsXwininfoWritesIt() {
        #expect(WindowID(0x2c00007, generation: 3).description == "0x2c00007")
    }
}
