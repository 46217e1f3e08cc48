import TestDesktop
import Testing

extension DesktopTests {
    @Suite struct Grouping {
        @Test(arguments: WindowManager.allCases)
        func wmClassThatChangesLaterMovesTheScene(_ manager: WindowManager) throws {
            let session = try Session(
                manager, ["--level", "application", "--level", "group", "--level", "scene"])
            let alpha = try session.open("Alpha")
            try session.settle { session.focus(alpha) }
            let lines = try session.settle { alpha.setClass("one", "Omega") }
            #expect(
                lines.map(\.description) == [
                    "\(alpha.name) active→ regroup", "Alpha/alpha active→ regroup", "Alpha active→ regroup",
                    "\(alpha.name) →active regroup", "Omega/one →active regroup", "Omega →active regroup",
                ])
            #expect(lines.map(\.change) == ["closed", "closed", "closed", "opened", "opened", "opened"])
        }

        @Test func withoutWMClassTheExecutableNamesTheApplication() throws {
            let session = try Session(.openbox)
            var properties = TestWindow.Properties()
            properties.title = "nameless"
            let window = session.window(properties)
            window.setOwner(ofThisProcess: true)
            let lines = try session.settle { window.map() }
            #expect(lines.last?.application?.hasSuffix(".xctest") == true)
            #expect(lines.last?.pids == [TestWindow.ownPid])
            #expect(try session.list(["--level", "group"]).first?.group == lines.last?.application)
        }

        @Test func withoutWMClassAndOnAnotherHostItIsUnknown() throws {
            let session = try Session(.openbox)
            var properties = TestWindow.Properties()
            properties.title = "nameless"
            let window = session.window(properties)
            window.setOwner(ofThisProcess: false)
            let lines = try session.settle { window.map() }
            #expect(lines.map(\.application) == ["unknown", "unknown"])
            #expect(lines.last?.pids == [])
            #expect(lines.first?.pid == nil)
        }

        @Test(arguments: [
            "DESKTOP", "DOCK", "SPLASH", "TOOLTIP", "NOTIFICATION", "MENU", "DROPDOWN_MENU", "POPUP_MENU",
            "COMBO", "DND",
        ])
        func windowsOfOtherTypesAreNoScenes(_ type: String) throws {
            let session = try Session(.none)
            var properties = TestWindow.Properties("Alpha")
            properties.type = type
            let window = session.window(properties)
            #expect(try session.settle { window.map() }.isEmpty)
            #expect(window.isOnScreen)
        }

        @Test(arguments: WindowManager.allCases)
        func overrideRedirectWindowsAreNoScenes(_ manager: WindowManager) throws {
            let session = try Session(manager)
            var properties = TestWindow.Properties("Alpha")
            properties.isOverrideRedirect = true
            let window = session.window(properties)
            #expect(try session.settle { window.map() }.isEmpty)
            #expect(window.isOnScreen)
        }
    }
}
