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

    /// For options of which a command has no counterpart, by the command: what to do instead.
    static let optionsOfCommands: [String: [String: String]] = {
        let sort = "press s in the table to sort by the next column"
        var words = [
            "xphase top": [
                "--sort": sort, "--order": sort,
                "--hidden": "press h in the table to show only what is hidden",
                "--filter": "press / in the table to show only names with a text",
                "--json": "type xphase list --json",
            ],
            "xphase list": ["--sort": "xphase top sorts"],
            "xphase freeze": [
                "--force": "type --except none", "-f": "type --except none",
                "--all": "write each application as xphase list prints it",
            ],
            "xphase explain": ["--focused": "type xphase explain --pick, or xphase active"],
            "xphase phase": ["--focused": "type xphase active"],
            "xphase hooks check": ["--config": "write the file without an option"],
            "xphase on": ["--for": "--after 5m reacts once the phase has lasted so long"],
            "xphase report": [
                "--csv": "there is --json", "--today": "type --since today",
                "--yesterday": "type --since yesterday",
                "--week": "type --since monday, or for seven days --since 1w",
            ],
        ]
        for option in ["--once", "--batch", "-b", "-n"] {
            words["xphase top", default: [:]][option] =
                "without a terminal, as in xphase top | cat, it prints once"
        }
        for option in ["--delay", "--interval", "-d"] {
            words["xphase top", default: [:]][option] = "the table changes by itself, every 3 s at the latest"
        }
        for command in ["freeze", "hooks pause", "record"] {
            words["xphase \(command)", default: [:]]["--until"] = "there is --for, as in --for 1h30m"
        }
        for option in ["--when", "--while", "--if"] {
            words["xphase freeze", default: [:]][option] = "type xphase on APP background --do freeze"
        }
        words["xphase freeze"]?["--after"] = "type xphase on APP background --after 5m --do freeze"
        for word in ["application", "day", "title", "visit"] {
            words["xphase report", default: [:]]["--\(word)"] = "type --by \(word)"
        }
        let start = "type systemctl --user start xphase, or without systemd xphase session start"
        for option in ["--daemon", "--detach", "-d"] { words["xphase run", default: [:]][option] = start }
        for option in ["--follow", "--watch"] {
            for command in ["list", "phase"] {
                words["xphase \(command)", default: [:]][option] = "type xphase watch"
            }
            words["xphase watch", default: [:]][option] = "without an option, it follows"
        }
        for phase in ["active", "inactive", "background", "hidden"] {
            let selection = "type xphase list --phase \(phase == "hidden" ? "background" : phase)"
            for command in ["list", "explain", "phase"] {
                words["xphase \(command)", default: [:]]["--\(phase)"] = selection
            }
        }
        for command in ["list", "watch", "report", "top", "hooks pause", "hooks resume", "hooks status"] {
            for option in ["--all", "-a"] {
                words["xphase \(command)", default: [:]][option] = "without a name, all are meant"
            }
        }
        for option in commandOptions {
            words["xphase on", default: [:]][option] = "the command stands behind --"
        }
        return words
    }()

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
