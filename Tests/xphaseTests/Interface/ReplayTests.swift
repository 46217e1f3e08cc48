import Glibc
import TestDesktop
import Testing

/// Replays of a handwritten recording, which need no display.
@Suite struct ReplayTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A window that is iconified for half a second.
    private static let iconified = """
        {"xphase-recording":4,"header":{"program":"0.1.0","server":"X 1","extensions":[],"isRedacted":false,\
        "hasTitles":false}}
        {"at":0,"calendar":{"seconds":1795377922,"nanoseconds":0},"look":{"screen":{"root":1,\
        "bounds":[0,0,640,480],"selectionOwner":0,"manager":{"checkWindow":99,"name":"openbox"},\
        "wasRewritten":true,"clients":[7],"stacking":[],"isShowingDesktop":false,"isComposited":false,\
        "isOwnCompositor":false},\(window(mapState: 2, state: 1)),"focus":{"window":{"_0":7}}}}
        {"at":1000000000,"look":{\(window(mapState: 0, state: 3)),"focus":{"none":{}}}}
        {"at":1500000000,"look":{\(window(mapState: 2, state: 1)),"focus":{"window":{"_0":7}}}}
        {"at":2000000000,"isEnd":true}

        """

    private static func window(mapState: Int, state: Int) -> String {
        """
        "windows":[{"text":{"className":"Alpha"},"facts":{"id":{"xid":7,"generation":1},"client":0,"place":[0,0,9,9],"mapState":\(mapState),\
        "state":\(state),"states":0,"kind":0,"depth":24,"isOverrideRedirect":false,"isInputOnly":false,\
        "isTranslucent":false,"withdrewItself":false,"topLevel":7,"wasManaged":true,"pid":0}}]
        """
    }

    @Test func itTakesNoTimeAndIsReadFromStdinOrCompressed() throws {
        let days = Self.iconified.replacing("00000000,", with: "0000000000000,")
        let file = try folder.write("days.jsonl", days)
        let format = ["--format", "{application} {to}"]
        let all = ["Alpha active", "Alpha background", "Alpha active"]
        #expect(try XPhase.replay(file, format) == all)
        _ = try Program.run("gzip", ["-k", file], package: "gzip")
        #expect(try XPhase.replay(file + ".gz", format) == all)
        let piped = try Program.run(
            "sh", ["-c", "\"$0\" replay - --format '\(format[1])' <\"$1\"", XPhase.path, file])
        #expect(piped.output == all && piped.errors.isEmpty)
    }
}
