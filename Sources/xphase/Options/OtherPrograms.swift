import Console
import Hooks
import System

/// The words of other programs, and what to type here instead.
enum OtherPrograms {
    /// For commands. APP stands for an application that the user has named.
    static let commands: [String: String] = {
        let service = [
            "start": "session start", "restart": "restart", "reload": "reload", "enable": "enable",
            "disable": "disable",
        ]
        var words = [
            "status": "xphase doctor, or for hooks xphase hooks", "version": "xphase --version",
            "ls": "xphase list", "ps": "xphase list", "windows": "xphase list", "show": "xphase list",
            "apps": "xphase list", "applications": "xphase list", "frozen": "xphase list",
            "info": "xphase explain APP", "toggle": "xphase freeze APP --toggle",
            "kill": "xphase session stop for the service, or xphase freeze APP",
            "focused": "xphase active", "monitor": "xphase watch", "events": "xphase watch",
            "tail": "xphase watch",
            "unfreeze": "xphase thaw APP",
            "resume": "xphase thaw APP, or for hooks xphase hooks resume",
            // It stops the unit, too.
            "stop": "xphase session stop",
            "completion": "xphase --generate-completion-script bash, or zsh or fish",
            "uninstall": "systemctl --user disable --now xphase, and remove the package",
            "daemon": "xphase run", "serve": "xphase run", "service": "xphase run",
        ]
        for reaction in ["slow", "mute"] { words[reaction] = "xphase on APP background --do \(reaction)" }
        words["cap"] = "xphase on APP background --do cap --cap 20%"
        for word in ["pause", "suspend", "sleep"] { words[word] = "xphase freeze APP" }
        words["pause"]? += ", or for hooks xphase hooks pause"
        for word in ["lock", "unlock", "idle"] {
            words[word] = "xphase hooks add on-lock, for a hook on the session"
        }
        for word in ["add", "check", "fire"] { words[word] = "xphase hooks \(word)" }
        words["why"] = "xphase explain APP, or for hooks xphase hooks why"
        for word in ["time", "times", "stats", "usage", "today"] { words[word] = "xphase report" }
        for word in ["log", "logs", "journal"] { words[word] = "journalctl --user --unit xphase" }
        for (word, own) in service {
            let plain = own.contains(" ") ? ", or without systemd xphase \(own)" : ""
            words[word] = "systemctl --user \(word) xphase\(plain)"
        }
        for word in ["config", "edit"] { words[word] = editing }
        words["completions"] = words["completion"]
        for word in ["remove", "purge"] { words[word] = words["uninstall"] }
        for word in ["undo", "reset"] { words[word] = "xphase hooks pause, which undoes everything" }
        return words
    }()

    /// For commands of `xphase hooks`. NAME stands for a hook that the user has named.
    static let hookCommands = [
        "list": "xphase hooks", "ls": "xphase hooks", "show": "xphase hooks", "help": "xphase hooks --help",
        "run": "xphase hooks fire", "test": "xphase hooks fire", "try": "xphase hooks fire",
        "log": "xphase hooks why", "logs": "xphase hooks why", "history": "xphase hooks why",
        "enable": "xphase hooks resume NAME", "disable": "xphase hooks pause NAME",
        "stop": "xphase hooks pause NAME", "start": "xphase hooks resume NAME",
        "explain": "xphase hooks why NAME", "undo": "xphase hooks pause NAME",
        "validate": "xphase hooks check", "lint": "xphase hooks check",
        "install": "xphase hooks add", "new": "xphase hooks add", "reload": "systemctl --user reload xphase",
        "remove": editing, "rm": editing, "delete": editing, "edit": editing, "exclude": editing,
    ]

    /// For options: those of this program, of which a command has the first one or another.
    static let options = [
        "--from": ["--since"], "--start": ["--since"], "--to": ["--until"], "--end": ["--until"],
        "--time": ["--for"], "--duration": ["--for"], "--delay": ["--after"],
        "--for": ["--timeout"], "--watch": ["--follow"],
    ]

    /// For options of which commands have no counterpart: what to do instead.
    private static let advice: [(commands: [String], options: [String], advice: String)] = [
        (["top"], ["--sort", "--order"], "press s in the table to sort by the next column"),
        (["top"], ["--hidden"], "press h in the table to show only what is hidden"),
        (["top"], ["--filter"], "press / in the table to show only names with a text"),
        (["top"], ["--json"], "type xphase list --json"),
        (
            ["top"], ["--once", "--batch", "-b", "-n"],
            "without a terminal, as in xphase top | cat, it prints once"
        ),
        (["top"], ["--delay", "--interval", "-d"], "the table changes by itself, every 3 s at the latest"),
        (["list"], ["--sort"], "xphase top sorts"),
        (["list", "phase"], ["--follow", "--watch"], "type xphase watch"),
        (["watch"], ["--follow", "--watch"], "without an option, it follows"),
        (["list", "explain", "phase"], ["--active"], "type xphase list --phase active"),
        (["list", "explain", "phase"], ["--inactive"], "type xphase list --phase inactive"),
        (["list", "explain", "phase"], ["--background", "--hidden"], "type xphase list --phase background"),
        (["explain"], ["--focused"], "type xphase explain --pick, or xphase active"),
        (["phase"], ["--focused"], "type xphase active"),
        (["freeze"], ["--force", "-f"], "type --except none"),
        (["freeze"], ["--all"], "write each application as xphase list prints it"),
        (["freeze"], ["--when", "--while", "--if"], "type xphase on APP background --do freeze"),
        (["freeze"], ["--after"], "type xphase on APP background --after 5m --do freeze"),
        (["freeze", "hooks pause", "record"], ["--until"], "there is --for, as in --for 1h30m"),
        (["on"], ["--for"], "--after 5m reacts once the phase has lasted so long"),
        (["on"], commandOptions, "the command stands behind --"),
        (["hooks check"], ["--config"], "write the file without an option"),
        (
            ["run"], ["--daemon", "--detach", "-d"],
            "type systemctl --user start xphase, or without systemd xphase session start"
        ),
        (["report"], ["--csv"], "there is --json"),
        (["report"], ["--today"], "type --since today"),
        (["report"], ["--yesterday"], "type --since yesterday"),
        (["report"], ["--week"], "type --since monday, or for seven days --since 1w"),
        (["report"], ["--application"], "type --by application"),
        (["report"], ["--day"], "type --by day"),
        (["report"], ["--title"], "type --by title"),
        (["report"], ["--visit"], "type --by visit"),
        (
            ["list", "watch", "report", "top", "hooks pause", "hooks resume", "hooks status"],
            ["--all", "-a"],
            "without a name, all are meant"
        ),
    ]

    /// Returns what to do in place of an option that a command does not have; nil if that is unknown.
    ///
    /// - Parameter command: `xphase hooks pause`.
    static func advice(on option: String, of command: String) -> String? {
        advice.first { $0.options.contains(option) && $0.commands.contains { "xphase \($0)" == command } }?
            .advice
    }

    /// The options of other programs for an application, and the names that each command takes in their place.
    static let nameOptions = ["--app", "--application", "--name", "--class", "--pid"]
    static let names = [
        "xphase wait": "APP PHASE", "xphase on": "APP PHASE", "xphase hooks add": "RECIPE APP",
        "xphase hooks why": "NAME APP", "xphase list": "APP", "xphase phase": "APP", "xphase freeze": "APP",
        "xphase thaw": "APP", "xphase explain": "APP", "xphase watch": "APP", "xphase report": "APP",
        "xphase top": "APP",
    ]

    /// The options of other programs, and the keys of hooks, for the command of `xphase on`.
    static let commandOptions = ["--run", "--then", "--exec", "--command", "--cmd", "--shell", "-c", "-e"]

    /// For commands that take no names: those that take an application.
    static let commandsWithNames = ["xphase doctor": "xphase explain", "xphase active": "xphase phase"]

    /// Stands for the commands to edit the configuration, which is looked for only then.
    private static let editing = "EDITING"

    /// Returns what to type in place of a word.
    ///
    /// - Parameters:
    ///   - form: A value of a table.
    ///   - name: The application or the hook that the user has named.
    static func command(_ form: String, for name: String?) -> String {
        if form == editing { return commandsToEdit }
        let argument = name.map { " \($0)" } ?? ""
        return form.replacing("APP", with: name ?? "APP").replacing(" NAME", with: argument)
    }

    private static var commandsToEdit: String {
        let locations = HookLocations(config: nil, environment: .own)
        let file = (try? LoadedHooks(locations))?.file ?? locations.configurations.first
        return "${EDITOR:-nano} \(file?.quotedForShell ?? "config.toml"), and change the hook there"
            .escapedForTerminal
    }
}
