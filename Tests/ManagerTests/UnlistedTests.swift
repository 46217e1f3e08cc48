import TestDesktop
import Testing

extension UnderManagers {
    /// What _NET_CLIENT_LIST lacks because of the window manager or of another client.
    @Suite struct UnlistedTests {
        @Test func everyListHasTheTabsThatPekwmDoesNotList() async throws {
            try await UnderManagers.executor.run {
                let rig = try Rig(.pekwm)
                let names = ["first", "second", "third"]
                for name in names {
                    let tab = try rig.make(name, "Tab \(name)")
                    tab.life = .mapped
                    tab.window.map()
                    let isActive = try waitUntil {
                        _ = try rig.readUntilQuiet()
                        return rig.scenes[tab.window.name] == "active"
                    }
                    #expect(isActive)
                }
                #expect(rig.client.words("_NET_CLIENT_LIST")?.count ?? 0 < names.count)
                #expect(rig.scenes.values.sorted() == ["active", "background", "background"])
                #expect(try rig.settledDifferences() == [])
            }
        }

        @Test func theTaskBarOfIceWMIsNoSceneThoughAnotherClientHasDeletedTheList() async throws {
            try await UnderManagers.executor.run {
                var icewm = Manager.icewm
                icewm.files["preferences"] = "ShowTaskBar=1\n"
                let rig = try Rig(icewm)
                try rig.openAll()
                rig.client.deleteRoot("_NET_CLIENT_LIST")
                try rig.perform([.focus("beta"), .focus("alpha")])
                #expect(rig.client.words("_NET_CLIENT_LIST") == nil)
                #expect(Set(rig.applications.keys) == ["Alpha", "Beta"])
            }
        }
    }
}
