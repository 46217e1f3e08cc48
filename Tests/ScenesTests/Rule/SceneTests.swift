import Testing

@testable import Scenes

@Suite struct SceneTests {
    @Test(arguments: [WindowFacts.Kind.desktop, .accessory])
    func desktopsDocksAndTheirLikeAreNoScenes(_ kind: WindowFacts.Kind) {
        var desktop = Desktop.managed()
        desktop.add(.client(1).with { $0.kind = kind })
        desktop.screen.activeWindow = 1
        #expect(desktop.foundScenes(under: .visible).isEmpty)
    }

    @Test func overrideRedirectWindowsAreNoScenesThoughListed() {
        var desktop = Desktop.managed()
        desktop.add(.client(1).with { $0.isOverrideRedirect = true })
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
        #expect(scene?.application == application)
        #expect(scene?.group == group)
    }

    @Test func anIdIsReportedAsXwininfoWritesIt() {
        #expect(WindowID(0x2c00007, generation: 3).description == "0x2c00007")
        #expect(WindowID(1, generation: 2) < WindowID(2, generation: 1))
        #expect(WindowID(1, generation: 1) < WindowID(1, generation: 2))
        #expect(WindowID(1, generation: 1) != WindowID(1, generation: 2))
    }
}
