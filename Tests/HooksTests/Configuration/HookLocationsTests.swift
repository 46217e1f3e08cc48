import Glibc
import System
import TestDesktop
import Testing

@testable import Hooks

/// The locations that are searched for hooks.
@Suite struct HookLocationsTests {
    private static let system: SystemString = "/etc/xdg/xphase/config.toml"

    @Test(arguments: [
        (["HOME": "/home/a", "XDG_CONFIG_HOME": "/c"], "/c"),
        (["HOME": "/home/a"], "/home/a/.config"),
        (["HOME": "/home/a", "XDG_CONFIG_HOME": ""], "/home/a/.config"),
        (["HOME": "/home/a", "XDG_CONFIG_HOME": "relative"], "/home/a/.config"),
        (["XDG_CONFIG_HOME": "/c"], "/c"),
    ])
    func theUsersComeBeforeTheSystems(environment: [String: String], folder: String) {
        let locations = HookLocations(config: nil, environment: Environment(environment))
        #expect(locations.configurations == ["\(folder)/xphase/config.toml", Self.system])
        #expect(locations.directory == "\(folder)/xphase/hooks.d")
        #expect(locations.required == nil)
    }

    @Test(arguments: [[:], ["HOME": ""], ["XDG_CONFIG_HOME": "relative"]])
    func withoutAHomeThereIsTheSystems(environment: [String: String]) {
        let locations = HookLocations(config: nil, environment: Environment(environment))
        #expect(locations.configurations == [Self.system])
        #expect(locations.directory == nil)
        #expect(locations.watched == [Self.system])
    }

    @Test func oneThatIsNamedIsTheOnlyOne() {
        let locations = HookLocations(config: "mine.toml", environment: ["HOME": "/home/a"])
        #expect(locations.configurations == ["mine.toml"])
        #expect(locations.required == "mine.toml")
        #expect(locations.watched == ["mine.toml", "/home/a/.config/xphase/hooks.d"])
    }

    @Test func everyDirectoryIsNamedByItsBytes() throws {
        let path = SystemString(bytes: Array("/home/h".utf8) + [0xE9])
        let environment = Environment(entries: ["HOME=" + path])
        let locations = HookLocations(config: nil, environment: environment)
        #expect(locations.configurations.first == path + "/.config/xphase/config.toml")
        #expect(locations.directory == path + "/.config/xphase/hooks.d")
        #expect(try environment.stateDirectory() == path + "/.local/state/xphase")
    }
}
