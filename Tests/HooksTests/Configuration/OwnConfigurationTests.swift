import Console
import Glibc
import System
import TestDesktop
import Testing

@testable import Hooks

/// Writing `journal = true` to the user's configuration.
@Suite struct OwnConfigurationTests {
    private let home: TemporaryFolder
    private var path: String { "\(home.path)/config.toml" }

    init() throws { home = try TemporaryFolder() }

    private func contents(_ name: String) throws -> String {
        let bytes = try Descriptor("open", open("\(home.path)/\(name)", O_RDONLY), path: "f").readAll(
            "f", limit: 1 << 16)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }

    private func enabled(_ text: String?) throws -> (isNew: Bool, text: String, copy: String?) {
        if let text { _ = try home.write("config.toml", text) }
        var own = try OwnConfiguration(
            HookLocations(config: SystemString(path), environment: Environment(entries: [])))
        let isNew = try own.enableJournal()
        return (isNew, try contents("config.toml"), try? contents("config.toml~"))
    }

    @Test(arguments: [
        ("", "journal = true\n"),
        ("policy = \"focus\"\n", "journal = true\n\npolicy = \"focus\"\n"),
        // The comment at the start of the file stays there; a hook's comment stays with the hook.
        (
            "# My hooks.\n#\n\n# Sync.\n[[hook]]\nname = \"a\"\nrun = [\"true\"]\n",
            "# My hooks.\n#\n\njournal = true\n\n# Sync.\n[[hook]]\nname = \"a\"\nrun = [\"true\"]\n"
        ),
        (
            "# Sync.\n[[hook]]\nname = \"a\"\nrun = [\"true\"]\n",
            "journal = true\n\n# Sync.\n[[hook]]\nname = \"a\"\nrun = [\"true\"]\n"
        ),
        ("  journal =false # not yet\nkeep = \"9d\"", "  journal =true # not yet\nkeep = \"9d\""),
        ("\"journal\" = false\n", "\"journal\" = true\n"),
        ("\u{FEFF}policy = \"focus\"\r\n", "\u{FEFF}journal = true\r\n\r\npolicy = \"focus\"\r\n"),
        // A line of a script is not a key of the configuration.
        (
            "[[hook]]\nname = \"a\"\nshell = '''\njournal = false\n'''\n",
            "journal = true\n\n[[hook]]\nname = \"a\"\nshell = '''\njournal = false\n'''\n"
        ),
    ])
    func theKeyIsWrittenWhereItBelongs(_ old: String, _ new: String) throws {
        let result = try enabled(old)
        #expect(result.isNew && result.text == new)
        #expect(result.copy == old)
        // A second call changes nothing.
        let again = try enabled(nil)
        #expect(!again.isNew && again.text == new && again.copy == old)
    }

    @Test func aCopyOfAnEditorStays() throws {
        _ = try home.write("config.toml~", "an editor's")
        let result = try enabled("policy = \"focus\"\n")
        #expect(result.isNew && result.copy == "an editor's")
        #expect(try contents("config.toml~1") == "policy = \"focus\"\n")
    }

    @Test func whoHasNoFileGetsOne() throws {
        var own = try OwnConfiguration(
            HookLocations(
                config: nil,
                environment: Environment(entries: [SystemString("XDG_CONFIG_HOME=\(home.path)/new")])))
        #expect(try own.enableJournal())
        #expect(own.copy == nil)
        #expect(try contents("new/xphase/config.toml") == "journal = true\n")
    }

    @Test func aWrongConfigurationIsLeftAsItIs() throws {
        let text = "[[hook]]\nname = \"a\"\nrun = [\"true\"]\njournal = true\n"
        let error = #expect(throws: ConfigurationError.self) { try enabled(text) }
        #expect(
            error?.faults == [
                "\(path):4: hook[1] 'a': journal: it is a key of the whole file: move the line above the first [[hook]], "
                    + "[[mode]] or [[category]]"
            ])
        #expect(try contents("config.toml") == text)
        #expect((try? contents("config.toml~")) == nil)
    }

    @Test(arguments: ["journal", "titles", "keep", "policy", "settle", "session", "occlusion", "idle"])
    func everyKeyOfTheFileIsKnownInATable(_ key: String) {
        for table in ["hook", "mode", "category"] {
            #expect(
                faults("[[\(table)]]\n\(key) = \"x\"").contains {
                    $0.contains("\(key): it is a key of the whole file")
                })
        }
    }

    @Test func categoriesAreReadInTheirOrder() throws {
        let text = """
            [[category]]
            name = "work"
            application = ["code", "/^libreoffice/"]
            [[category]]
            name = "work"
            application = "firefox"
            title = "*Issue*"
            """
        let categories = try Configuration(text: text, file: "f").journal.categories
        #expect(categories.map(\.name) == ["work", "work"])
        #expect(categories[0].matches(["libreoffice-writer", ""], title: nil))
        #expect(categories[1].matches(["Firefox", "Navigator"], title: "An issue"))
        #expect(!categories[1].matches(["Firefox", "Navigator"], title: nil))
        #expect(!categories[1].matches(["Other", "firefo"], title: "An issue"))
    }
}
