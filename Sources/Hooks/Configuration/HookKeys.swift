import Console
import PhaseWatch
import System

/// The keys of a `[[hook]]` table.
extension Hook {
    /// In the order of the manual, which describes them. Where a table has the keys of a pair, these replace the program.
    static let keys: [Key<Hook>] = [
        Key("name", .hookName(), sets: \.name, isRequired: true),
        Key("application", .patterns(), sets: \.condition.application),
        Key("exclude", .patterns(), sets: \.condition.exclude),
        Key("instance", .patterns(), sets: \.condition.instance),
        Key("group", .patterns(), sets: \.condition.instance),
        Key("process", .patterns(), sets: \.condition.process),
        Key("desktop", .desktops(), sets: \.condition.desktops),
        Key("role", .patterns(), sets: \.condition.role),
        Key("monitor", .patterns(), sets: \.condition.monitor),
        Key("extent", .words(), sets: \.condition.extent),
        Key("title", .patterns(), sets: \.condition.title),
        Key("level", .word(), sets: \.condition.level),
        Key("session", .words(), sets: \.condition.session),
        Key("from", .words(), sets: \.condition.from),
        Key("to", .words(), sets: \.condition.to),
        Key("cause", .words(), sets: \.condition.cause),
        Key("initial", .boolean(), sets: \.condition.initial),
        Key("after", .duration(), sets: \.after),
        Key("every", .duration(isPositive: true), sets: \.every),
        Key("unless", .command(), sets: \.unless),
        Key("power", .word(), sets: \.power),
        Key("run", .command(alternative: "shell"), sets: \.program),
        Key("shell", .shell(), sets: \.program),
        Key("while", .words(), sets: \.parts.times),
        Key("enter", .command(), sets: \.parts.enter),
        Key("leave", .command(), sets: \.parts.leave),
        Key("do", .words(), sets: \.parts.builtIns),
        Key("except", .wordsOrNone(), sets: \.parts.except),
        Key("cap", .cap(), sets: \.parts.cap),
        Key("wake", .wake(), sets: \.wake),
        Key("timeout", .duration(isPositive: true), sets: \.timeout),
    ]

    fileprivate var program: Program {
        get { program(of: .run) ?? .arguments([]) }
        set { reaction = .run(newValue) }
    }

    fileprivate var parts: Pair {
        get { pair ?? Pair(phases: []) }
        set { reaction = .pair(newValue) }
    }
}

extension Hook.Pair {
    /// When the reaction lasts.
    package var times: Set<PhaseOrClosed> {
        get { Set(phases.map { PhaseOrClosed($0) } + (lastsClosed ? [.closed] : [])) }
        set { (phases, lastsClosed) = (Set(newValue.compactMap(\.phase)), newValue.contains(.closed)) }
    }
}

extension Condition {
    fileprivate var desktops: Desktops {
        get { Desktops(numbers: criteria.desktop, names: criteria.desktopName) }
        set { (criteria.desktop, criteria.desktopName) = (newValue.numbers, newValue.names) }
    }
}

extension Hook {
    /// Reads a table. Returns nil and leaves the faults in the reader if it is wrong.
    init?(_ reader: inout TableReader) {
        self.init(name: "", reaction: .run(.arguments([])))
        reader.read(
            Self.keys, of: "keys of a hook", into: &self,
            elsewhere: (
                Configuration.keys.map(\.name),
                "it is a key of the whole file: move the line above the first [[hook]]"
            ))
        check(&reader)
        guard reader.faults.isEmpty else { return nil }
        if reader.has("do") && !reader.has("except") { parts.except = Exception.usual(for: builtIns) }
    }

    /// Reports keys that cannot be combined, and keys that are missing beside others.
    private func check(_ reader: inout TableReader) {
        if reader.has("session") { return checkSession(&reader) }
        let (isPair, hasReactions) = (reader.has("while") || reader.has("do"), reader.has("do"))
        let hasPrograms = isPair && !hasReactions
        // An unknown word may be a misspelt `freeze` or `cap`.
        let isKnown = hasReactions && !reader.isFaulty("do")
        let hasScenes = [.scene, .all].contains(condition.level) || reader.isFaulty("level")
        let ofScenes = ["role", "monitor", "extent", "title"]

        let hasToForWhile = hasReactions && reader.has("to") && !reader.has("while") && !reader.isFaulty("to")
        if hasToForWhile {
            let phases = condition.to.words.map { "\"\($0)\"" }.joined(separator: ", ")
            let value = condition.to.count == 1 ? phases : "[\(phases)]"
            reader.fault("to", "write while = \(value) in its place: do lasts as long as the phase")
        }
        reader.refuse(
            hasToForWhile ? ["from"] : ["from", "to"], if: isPair,
            "it cannot be combined with while, which determines when the pair begins and ends")
        reader.refuse(
            ["every", "run", "shell"], if: hasPrograms,
            "it cannot be combined with while, which runs enter and leave")
        reader.refuse(
            ["every", "run", "shell", "enter", "leave"], if: hasReactions,
            "it cannot be combined with do: write two hooks")
        reader.refuse(
            ["instance", "group", "process", "desktop"] + ofScenes, if: hasReactions,
            "it cannot be combined with do: a built-in reaction applies to whole applications")
        reader.refuse(["enter", "leave"], if: !isPair, "it needs while")
        reader.refuse(["except", "cap", "wake"], if: !hasReactions, "it needs do")
        for key in ofScenes {
            reader.refuse(
                [key], if: !hasScenes && !hasReactions,
                "only scenes have \(key.withArticle): add level = \"scene\"")
        }

        reader.refuse(
            ["while"], if: parts.lastsClosed && condition.level != .application,
            "only an application is closed while its process lives: omit level")
        reader.refuse(
            ["group"], if: reader.has("instance"), "it means the same as instance: choose one of them")
        reader.refuse(
            ["desktop"],
            if: !condition.desktopName.isEmpty && condition.changes != .scene && !hasReactions,
            "only scenes have a desktop by name: add level = \"scene\"")
        reader.refuse(
            ["cause"], if: condition.cause.contains(.title) && !reader.has("title"),
            "'title' needs the key title")
        reader.refuse(
            ["from"], if: condition.cause == [.title],
            "it cannot be combined with the cause 'title': a change of title leaves no phase")
        reader.refuse(
            ["to"],
            if: Set(condition.from.map { PhaseOrClosed($0) }) == condition.to && condition.to.count == 1
                && !isPair,
            "it is the same phase as from, so the hook would never run")
        reader.refuse(
            ["initial"], if: condition.to == [.closed] && condition.initial,
            "what is closed is not found at the start")
        reader.refuse(
            ["from"], if: condition.to == [.closed] && !condition.from.contains(.background) && !hasScenes,
            "an application is in the background before it is closed: write from = \"background\" or omit it")
        reader.refuse(
            ["shell"], if: reader.has("run") && !isPair,
            "it cannot be combined with run: choose one of them")

        for key in ["enter", "leave"] where hasPrograms && !reader.has(key) {
            reader.fault(key, "it is missing: a hook with while needs both enter and leave, or do")
        }
        reader.refuse(["do"], if: !reader.has("while") && !hasToForWhile, "it needs while")
        reader.refuse(
            ["do"], if: !reader.has("application"),
            "it needs application: otherwise it would apply to every application")
        for reason in reactionFaults { reader.fault("do", reason) }
        reader.refuse(
            ["wake"], if: isKnown && !builtIns.contains(.freeze),
            "it needs do = [\"freeze\"]: only a frozen application can be woken")
        reader.refuse(["cap"], if: isKnown && !builtIns.contains(.cap), "it needs do = [\"cap\"]")
        if isKnown && builtIns.contains(.cap) && !reader.has("cap") {
            reader.fault("cap", "it is missing: do = [\"cap\"] needs it, as cap = \"20%\"")
        }
        if !isPair && !["run", "shell", "enter", "leave"].contains(where: reader.has) {
            reader.fault(
                nil, "it does nothing: add run or shell, or while with do, or with enter and leave")
        }
    }

    /// Reports keys that cannot be combined with `session`, and keys that are missing beside it.
    private func checkSession(_ reader: inout TableReader) {
        let isPair = reader.has("enter") || reader.has("leave")
        reader.refuse(
            [
                "application", "exclude", "instance", "group", "process", "desktop", "role", "monitor",
                "extent", "title", "level",
            ], if: true,
            "it cannot be combined with session, which is about no application; "
                + "the setting session stands above the first [[hook]]")
        reader.refuse(
            ["from", "to", "cause", "while"], if: true,
            "it cannot be combined with session, whose states determine when the hook begins and ends")
        reader.refuse(
            ["do", "except", "cap", "wake"], if: true,
            "it cannot be combined with session: reactions apply to applications; write enter and leave")
        reader.refuse(
            ["every", "run", "shell"], if: isPair, "it cannot be combined with enter and leave")
        reader.refuse(
            ["shell"], if: reader.has("run") && !isPair,
            "it cannot be combined with run: choose one of them")
        for key in ["enter", "leave"] where isPair && !reader.has(key) {
            reader.fault(key, "it is missing: enter and leave go together")
        }
        if !isPair && !reader.has("run") && !reader.has("shell") {
            reader.fault(nil, "it does nothing: add run or shell, or enter and leave")
        }
    }

    /// The prefix of the names of executables in hooks.d.
    static let directoryPrefix = "hooks.d/"
    /// The prefix of the name of a freeze by hand.
    static let handPrefix = "by hand: "
    static let reservedPrefixes = [directoryPrefix, handPrefix]

    /// Returns why a name is invalid; nil if it is valid.
    static func fault(inName name: String) -> String? {
        if name.isEmpty { return "it is empty" }
        if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "\(name.quoted) contains control characters"
        }
        return nil
    }
}

extension Wake {
    static let keys: [Key<Wake>] = [
        Key("every", .duration(isPositive: true), sets: \.interval, isRequired: true),
        Key("for", .duration(isPositive: true), sets: \.duration, isRequired: true),
    ]
}
