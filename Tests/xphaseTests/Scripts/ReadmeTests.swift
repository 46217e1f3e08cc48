import Glibc
import TestDesktop
import Testing

/// The commands, hooks and hotkeys of README.md, verbatim. packaging/test-bare-machine runs those that install.
struct ReadmeTests {
    /// Returns the lines of all blocks of a language on a page of the project, without empty ones.
    static func lines(_ language: String, of page: String = "README.md") throws -> [String] {
        var (lines, isInside) = ([String](), false)
        for line in try Program.run("cat", ["\(XPhase.project)/\(page)"]).output {
            if line.hasPrefix("```") {
                isInside = line == "```\(language)"
            } else if isInside, !line.isEmpty {
                lines.append(line)
            }
        }
        return lines
    }

    /// Returns the line of a block that contains a text.
    private static func line(_ language: String, with text: String) throws -> String {
        try #require(try lines(language).first { $0.contains(text) })
    }

    private static func start(
        _ command: String, on stage: Stage, terminal: Terminal? = nil
    ) throws -> Program {
        try Program("bash", ["--norc", "-c", command], environment: stage.environment, terminal: terminal)
    }

    @Test func theFirstCommandsPrintWhatThePageShows() throws {
        var lines = try Self.lines("console")
        let stage = try Stage(.openbox)
        try stage.show(.init("firefox-esr"), x: 300)
        let player = try Program(
            "xterm", ["-class", "mpv", "-e", "sleep", "1000"], environment: stage.environment)
        try stage.wait(for: "mpv", "active")
        let window = try #require(stage.client.words("_NET_ACTIVE_WINDOW")?.first)

        // Times and counts of processes differ: this player is a terminal, with a child.
        func isNext(_ reader: LineReader) throws {
            let pair = [try reader.next(), lines.removeFirst()].map {
                $0?.replacing(/^[0-9:.]+/, with: "TIME").replacing(/after [0-9a-z.]+$/, with: "AGE")
                    .replacing(/[0-9]+ process(es)?/, with: "COUNT")
            }
            #expect(pair[0] == pair[1])
        }
        func start() throws -> Program {
            try Self.start("exec \(lines.removeFirst().dropFirst(2))", on: stage)
        }
        let watch = try start()
        func show() throws {
            stage.client.request("_NET_ACTIVE_WINDOW", window: window, [2, 0, 0])
            // 'on' has seen it, too: its settle time is the same.
            while let line = try watch.output.next(), !line.contains(/mpv .*→ active/) {}
        }
        #expect(try watch.comesToRest())
        stage.client.iconify(window)
        try isNext(watch.output)
        try isNext(watch.output)
        let on = try start()
        try isNext(on.errors)
        try isNext(on.errors)
        #expect(try player.status("State").contains("T (stopped)"))
        try show()
        try isNext(on.errors)
        #expect(lines.isEmpty)
    }

    /// With the hooks of the page, after a day on which something was used.
    @Test func theDailyCommandsDoWhatThePageSays() throws {
        let page = try Program.run("cat", ["\(XPhase.project)/README.md"]).output
        let start = try #require(page.firstIndex(of: "## Daily use"))
        let lines = page[start...].drop { $0 != "```sh" }.dropFirst().prefix { $0 != "```" }
        // What "Install" adds, and what "The day" names.
        let hooks = try HookSession("journal = true\n" + ExampleHooks.text("pause-the-player.toml"))
        let player = try hooks.session.open("mpv")
        let editor = try ProgramWindow(
            hooks.session, "xterm", ["-class", "mousepad", "-e", "sleep", "1000"], application: "mousepad")
        var results: [String: XPhase.Result] = [:]
        for line in lines {
            let command = line.replacing(/\s*#.*/, with: "")
            if command.hasPrefix("xphase wait") { player.destroy() }
            let environment = hooks.home.environment.merging(hooks.session.display.environment) { $1 }
            results[command] = try Program.run("bash", ["--norc", "-c", command], environment: environment)
            if command.hasPrefix("xphase freeze") { #expect(try editor.isStopped) }
        }
        #expect(results.count == 8)
        for (command, text) in [
            ("explain mpv", "mpv is "), ("freeze mousepad --for 10m", "mousepad frozen"),
            ("thaw --all", "mousepad thawed"), ("hooks", "pause-the-player"),
            ("hooks why pause-the-player", "pause-the-player: "), ("report --since 30m --by visit", ""),
            ("hooks pause --for 1h", "all hooks paused for 1h"), ("wait mpv closed", ""),
        ] {
            let result = try #require(results["xphase \(command)"])
            #expect(result.code == 0 && result.output.joined(separator: "\n").contains(text), "\(result)")
        }
    }

    @Test func theHooksDoWhatThePageSays() throws {
        let configuration = try Self.lines("toml").joined(separator: "\n")
        let hooks = try HookSession(configuration.replacing("\"30s\"", with: "\"300ms\"")) { home, _ in
            try home.addTool("dunstctl", "echo dunstctl $* >>~/log")
            mkdir("\(home.path)/notes", 0o700)
            try home.write("notes/today", "new")
        }
        let emacs = try hooks.session.open("Emacs")
        let vim = try hooks.session.open("Gvim", x: 300)
        try hooks.session.settle { emacs.iconify() }
        try hooks.session.settle { vim.iconify() }
        try hooks.home.waitForLines(["dunstctl set-paused true", "dunstctl set-paused false"])
        #expect(waitUntil { hooks.home.exists("notes.copy/today") })
        let chat = try ProgramWindow(
            hooks.session, "xterm", ["-class", "Slack", "-e", "sleep", "1000"], application: "Slack")
        chat.iconify()
        #expect(try waitUntil { try chat.isStopped })
        chat.activate()
        #expect(try waitUntil { try !chat.isStopped })
    }

    /// sxhkd reads keys under any window manager; its line is in the guide to hooks.
    @Test(arguments: ["i3", "openbox", "sxhkd"]) func theHotkeyFreezesAndThaws(reader: String) throws {
        let hooks = try HookSession("", manager: reader == "sxhkd" ? .openbox : .none)
        var (start, end) = ("# i3 config file (v4)\n", "\n")
        if reader == "openbox" {
            let usual = try Program.run("cat", ["/etc/xdg/openbox/rc.xml"]).output.joined(separator: "\n")
            let place = try #require(usual.firstRange(of: "</keyboard>")).lowerBound
            (start, end) = (String(usual[..<place]), String(usual[place...]))
        }
        let text =
            reader == "sxhkd"
            ? try Self.lines("text", of: "packaging/examples/hooks/README.md").joined(separator: "\n")
            : try Self.line("text", with: reader == "i3" ? "bindsym" : "keybind")
        let file = try hooks.home.folder.write("configuration", start + text + end)
        // Each login sets SHELL, without which sxhkd runs nothing.
        let environment = hooks.home.environment.merging(hooks.session.display.environment) { $1 }
            .merging(["SHELL": "/bin/sh"]) { $1 }
        let running = try Program(
            reader, reader == "openbox" ? ["--sm-disable", "--config-file", file] : ["-c", file],
            environment: environment)
        #expect(waitUntil { hooks.session.client.isManaged })
        let game = try ProgramWindow.terminal(hooks.session)
        // The server has a new keyboard at the first key that xdotool presses, and openbox then grabs its keys anew, before
        // it activates the window.
        try hooks.session.display.run("xdotool key shift")
        try hooks.session.settle { game.activate() }
        for isFrozen in [true, false] {
            try hooks.session.display.run("xdotool key super+F9")
            #expect(try waitUntil { try game.isStopped == isFrozen })
        }
        try running.end()
    }

    /// In a real bash.
    @Test func theCommandsForScriptsRun() throws {
        _ = try Program.find("jq", package: "jq")
        let (stage, alpha) = try Stage.alpha()
        try stage.show(.init("Beta"), x: 300)
        try stage.wait(for: "Beta", "active")
        // Into a pipe, as if another program followed.
        let bash = try Self.start(Self.line("sh", with: "jq"), on: stage)
        #expect(try bash.output.next() == "Beta")
        alpha.activate()
        #expect(try bash.output.next() == "Alpha")
        try stage.hide(alpha, "Alpha")
        #expect(try bash.output.next() == "Beta")
        stage.environment["WINDOWID"] = "\(alpha.id)"
        let wait = try Self.start("exec " + Self.line("sh", with: "$WINDOWID"), on: stage)
        #expect(try wait.comesToRest())
        try stage.focus(alpha, "Alpha")
        #expect(try wait.exitCode() == 0)
        let command = "xphase active --follow --format '{application}: {title}'"
        let page = try Program.run("cat", ["\(XPhase.project)/README.md"]).output
        #expect(page.contains { $0.contains("`\(command)`") })
        let active = try Self.start("exec " + command, on: stage)
        #expect(try active.output.next()?.hasPrefix("Alpha: ") == true)
    }

    /// `ActiveTests` has what the command prints.
    @Test func everyBarReadsTheSameLines() throws {
        let command = "xphase active --follow --empty ' ' --format '{application}: {title}'"
        let page = "\(XPhase.project)/packaging/examples/bars.md"
        #expect(try Program.run("grep", ["-Fc", command, page]).output == ["6"])
    }
}
