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
        {"xphase-recording":2,"header":{"program":"0.1.0","server":"X 1","extensions":[],"managers":[""],\
        "screenCount":1,"start":{"seconds":1795377922,"nanoseconds":0},"isRedacted":false,"hasTitles":false}}
        {"at":0,"look":{"screens":[{"number":0,"facts":{"root":1,"bounds":[0,0,640,480],"selectionOwner":0,\
        "manager":{"checkWindow":99,"name":"openbox"},"wasRewritten":true,"clients":[],"stacking":[],\
        "isShowingDesktop":false,"isComposited":false,"isOwnCompositor":false},\
        "clients":[{"at":0,"removed":0,"inserted":[7]}]}],\
        \(window(mapState: 2, state: 1)),"texts":[{"window":7,"facts":{"className":"Alpha"}}],\
        "focus":{"window":{"_0":7}}}}
        {"at":1000000000,"look":{\(window(mapState: 0, state: 3)),"focus":{"none":{}}}}
        {"at":1500000000,"look":{\(window(mapState: 2, state: 1)),"focus":{"window":{"_0":7}}}}
        {"at":2000000000,"isEnd":true}

        """

    private static func window(mapState: Int, state: Int) -> String {
        """
        "windows":[{"id":{"xid":7,"generation":1},"place":[0,0,9,9],"screen":0,"mapState":\(mapState),\
        "state":\(state),"states":0,"kind":0,"depth":24,"isOverrideRedirect":false,"isInputOnly":false,\
        "withdrewItself":false,"topLevel":7,"wasManaged":true,"pid":0}]
        """
    }

    /// A day passes in a tenth of a second, or in real time.
    @Test func timePassesAsFastAsIsAsked() throws {
        let days = Self.iconified.replacing("00000000,", with: "0000000000000,")
        let file = try folder.write("days.jsonl", days)
        let options = ["--format", "{application} {to}"]
        let all = ["Alpha active", "Alpha background", "Alpha active"]
        #expect(try XPhase.replay(file, options) == all)
        #expect(try XPhase.replay(file, options + ["--speed", "1000000"]) == all)
        let slow = try XPhase.start(["replay", file, "--speed", "1"] + options, on: nil)
        #expect(try slow.output.next() == all.first)
        #expect(try waitUntil { try slow.status("wchan").contains("nanosleep") })
        try slow.end(SIGTERM)
        #expect(try slow.output.rest() == [])
    }

    private static let hooks = """
        [[hook]]
        name = "at once"
        application = "Alpha"
        to = "background"
        run = ["touch", "HOME/ran"]

        [[hook]]
        name = "a pair"
        application = "Alpha"
        while = "background"
        after = "300ms"
        unless = ["true"]
        enter = ["true"]
        leave = ["true"]

        [[hook]]
        name = "too long"
        application = "Alpha"
        while = "background"
        after = "1h"
        enter = ["true"]
        leave = ["true"]
        """

    /// No hook runs, and each report has its time.
    @Test func itReportsWhatHooksWouldHaveDone() throws {
        let file = try folder.write("made.jsonl", Self.iconified)
        let home = try HookHome()
        try home.configure(Self.hooks.replacing("HOME", with: home.path))
        let options = ["--config", home.configurationFile, "--no-initial"]
        let text = try XPhase.replay(file, options).map { String($0.dropFirst(14)) }
        #expect(text.first?.contains("active → background") == true)
        let hidden = "for Alpha, active → background, iconify"
        #expect(
            text.filter { $0.hasPrefix("hook") } == [
                "hook 'at once': matched by Alpha, active → background, iconify",
                "hook 'a pair': matched by Alpha, active → background, iconify",
                "hook 'too long': matched by Alpha, active → background, iconify",
                "hook 'at once': would run touch \(home.path)/ran \(hidden)",
                "hook 'a pair': would ask first: true",
                "hook 'a pair': would run true \(hidden)",
                "hook 'too long': not run for Alpha: background did not last for 1h",
                "hook 'a pair': would run true for Alpha, background → active, deiconify",
            ])
        let json = try XPhase.replay(file, options + ["--json"]).filter { $0.contains("\"hook\"") }
        #expect(json.count == 7)
        let why = XPhase.call(
            ["hooks", "why", "a pair", "--replay", file, "--config", home.configurationFile, "--json"])
        #expect(why.output == [json[1], json[6]])
        #expect(!home.exists("ran"))
        let unknown = XPhase.call(
            ["hooks", "why", "b", "--replay", file, "--config", home.configurationFile])
        #expect(unknown.code == 64)
        #expect(
            unknown.errors == [
                "xphase: no hook of '\(home.configurationFile)' is called 'b'; there are 'at once', 'a pair', 'too long'"
            ])
    }
}
