import Console
import PhaseWatch
import System

/// The values of a `[[hook]]` table.
struct HookTable {
    private var hook = Hook(name: "", reaction: .run(.arguments([])))
    private var condition = Condition()
    private var desktops = Desktops()
    private var phases: Set<PairPhase> = []
    private var pair = Hook.Pair(phases: [])
    private var program = Program.arguments([])
    private var except: Set<Exception>?

    /// In the order of the manual.
    static let keys: [Key<HookTable>] = [
        Key("name", .hookName(), "required", "unique name", sets: \.hook.name),
        Key("application", .patterns(), "all", "class or instance names", sets: \.condition.application),
        Key("exclude", .patterns(), "none", "applications to leave out", sets: \.condition.exclude),
        Key("instance", .patterns(), "all", "instance names", .window, sets: \.condition.instance),
        Key("group", .patterns(), "all", "synonym of instance", .window, sets: \.condition.instance),
        Key("process", .patterns(), "all", "programs of its processes", .window, sets: \.condition.process),
        Key("desktop", .desktops(), "all", "desktops; the first is 0", .window, sets: \.desktops),
        Key("role", .patterns(), "all", "purpose of the window", .scene, sets: \.condition.role),
        Key("monitor", .patterns(), "all", "monitor with most of it", .scene, sets: \.condition.monitor),
        Key(
            "extent", .words(), "all", "fullscreen, maximized, window, tab", .scene, sets: \.condition.extent),
        Key("title", .patterns(), "all", "title of the window", .scene, sets: \.condition.title),
        Key("level", .word(), "application", "scene, group, application or all", sets: \.condition.level),
        Key("from", .words("phase"), "all", "phase before the change", .change, sets: \.condition.from),
        Key("to", .words("phase"), "all", "phase after the change", .change, sets: \.condition.to),
        Key("cause", .words(), "all", "cause of the change", sets: \.condition.cause),
        Key("initial", .boolean(), "false", "also for what exists already", sets: \.condition.initial),
        Key("after", .duration(), "0", "time that the phase must last", sets: \.hook.after),
        Key(
            "every", .duration(isPositive: true), "none", "shortest time between two runs", .run,
            sets: \.hook.every),
        Key("unless", .command(), "none", "prevents the hook if it exits 0", sets: \.hook.unless),
        Key("power", .word(), "both", "battery or mains", sets: \.hook.power),
        Key("run", .command(), "none", "runs after the change", .run, sets: \.program),
        Key("shell", .shell(), "none", "command line for /bin/sh", .run, sets: \.program),
        Key("while", .words("phase"), "none", "phases of a pair, or closed", sets: \.phases),
        Key("enter", .command(), "none", "runs when the pair begins", .half, sets: \.pair.enter),
        Key("leave", .command(), "none", "runs when the pair ends", .half, sets: \.pair.leave),
        Key("do", .words(), "none", "built-in reactions of a pair", sets: \.pair.builtIns),
        Key("except", .wordsOrNone(), "see below", "conditions that prevent them", .reaction, sets: \.except),
        Key("cap", .cap(), "none", "limit, for the reaction cap", .reaction, sets: \.pair.cap),
        Key("wake", .wake(), "none", "timed thaws during a freeze", .reaction, sets: \.hook.wake),
        Key(
            "timeout", .duration(isPositive: true), "30s", "time limit of each command", sets: \.hook.timeout),
    ]
}

extension HookTable {
    /// Reads a table. Returns nil and leaves the faults in the reader if it is wrong.
    static func hook(_ reader: inout TableReader) -> Hook? {
        var table = HookTable()
        reader.read(keys, of: "keys of a hook", into: &table, above: Configuration.keys.map(\.name))
        table.pair.phases = Set(table.phases.compactMap(\.phase))
        table.pair.lastsClosed = table.phases.contains(.closed)
        table.check(&reader)
        guard reader.faults.isEmpty else { return nil }
        var (hook, pair) = (table.hook, table.pair)
        hook.condition = table.condition
        hook.condition.desktop = table.desktops.numbers
        hook.condition.desktopName = table.desktops.names
        pair.except = table.except ?? Exception.usual(for: pair.builtIns)
        hook.reaction = HookKind(reader) == .run ? .run(table.program) : .pair(pair)
        return hook
    }

    /// Reports keys that cannot be combined, and keys that are missing beside others.
    private func check(_ reader: inout TableReader) {
        let kind = HookKind(reader)
        checkKeys(of: kind, &reader)
        checkCondition(&reader)
        switch kind {
        case .run: checkRun(&reader)
        case .programs:
            for key in ["enter", "leave"] where !reader.has(key) {
                reader.fault(key, "it is missing: a hook with while needs both enter and leave, or do")
            }
        case .reactions: checkReactions(&reader)
        }
    }

    private func checkKeys(of kind: HookKind, _ reader: inout TableReader) {
        let hasScenes = [.scene, .all].contains(condition.level) || reader.isFaulty("level")
        for key in Self.keys where reader.has(key.name) {
            if let reason = key.scope.refusal(in: kind) {
                reader.fault(key.name, reason)
            } else if key.scope == .scene && !hasScenes {
                reader.fault(key.name, "only scenes have \(key.name.withArticle): add level = \"scene\"")
            }
        }
    }

    private func checkCondition(_ reader: inout TableReader) {
        if reader.has("instance") && reader.has("group") {
            reader.fault("group", "it means the same as instance: choose one of them")
        }
        if !desktops.names.isEmpty && condition.changes != .scene && !reader.has("do") {
            reader.fault("desktop", "only scenes have a desktop by name: add level = \"scene\"")
        }
        if condition.cause.contains(.title) && !reader.has("title") {
            reader.fault("cause", "'title' needs the key title")
        }
        if condition.cause == [.title] && !condition.from.isEmpty {
            reader.fault(
                "from", "it cannot be combined with the cause 'title': a change of title leaves no phase")
        }
        if pair.lastsClosed && condition.level != .application {
            reader.fault("while", "only an application is closed while its process lives: omit level")
        }
        if condition.from == condition.to, condition.from.count == 1, !reader.has("while") {
            reader.fault("to", "it is the same phase as from, so the hook would never run")
        }
    }

    private func checkRun(_ reader: inout TableReader) {
        if reader.has("run") && reader.has("shell") {
            reader.fault("shell", "it cannot be combined with run: choose one of them")
        } else if !["run", "shell", "enter", "leave"].contains(where: reader.has) {
            reader.fault(
                nil, "it does nothing: add run or shell, or while with do, or with enter and leave")
        }
    }

    private func checkReactions(_ reader: inout TableReader) {
        // An unknown word may be a misspelt `freeze` or `cap`.
        let isMisread = reader.isFaulty("do")
        if !reader.has("while") { reader.fault("do", "it needs while") }
        if !reader.has("application") {
            reader.fault("do", "it needs application: otherwise it would apply to every application")
        }
        let reasons = Hook.faults(
            in: pair.builtIns, while: pair.phases, level: condition.level, of: condition.application
        )
        for reason in reasons { reader.fault("do", reason) }
        if isMisread { return }
        if reader.has("wake") && !pair.builtIns.contains(.freeze) {
            reader.fault("wake", "it needs do = [\"freeze\"]: only a frozen application can be woken")
        }
        if pair.builtIns.contains(.cap) != reader.has("cap") {
            let missing = "it is missing: do = [\"cap\"] needs it, as cap = \"20%\""
            reader.fault("cap", reader.has("cap") ? "it needs do = [\"cap\"]" : missing)
        }
    }
}

extension Wake {
    static let keys: [Key<Wake>] = [
        Key("every", .duration(isPositive: true), "required", "time from one to the next", sets: \.interval),
        Key("for", .duration(isPositive: true), "required", "how long each lasts", sets: \.duration),
    ]
}

extension Hook {
    /// The prefix of the names of executables in hooks.d, reserved for them.
    static let directoryPrefix = "hooks.d/"

    /// Returns why a name is invalid; nil if it is valid.
    static func fault(inName name: String) -> String? {
        if name.isEmpty { return "it is empty" }
        if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "\(name.quoted) contains control characters"
        }
        return nil
    }
}
