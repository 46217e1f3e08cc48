import Console
import PhaseWatch
import System

extension Hook {
    static let keys = Vocabulary(
        one: "key", many: "keys of a hook",
        words: [
            "name", "application", "instance", "group", "process", "desktop", "title", "role", "monitor",
            "extent", "exclude",
            "level",
            "from", "to", "cause", "initial",
            "while",
            "after", "unless", "run", "shell", "enter", "leave", "do", "cap", "except", "power", "wake",
            "timeout",
        ])

    /// The prefix of the names of executables in hooks.d, reserved for them.
    static let directoryPrefix = "hooks.d/"

    /// Reads a `[[hook]]` table. Returns nil and leaves the faults in the reader if the table is wrong.
    init?(_ reader: inout TableReader) {
        reader.refuseKeys(notIn: Self.keys, above: Configuration.keys)
        let name = reader.hookName()
        let condition = Condition(&reader)
        let reaction = Reaction(&reader, condition)
        let after = reader.duration("after")
        let unless = reader.arguments("unless")
        let power: Power? = reader.word("power")
        let wake = reader.wake("wake")
        // An unknown word may be a misspelt `freeze`.
        let canWake = reader.has("do") && (reader.misread.contains("do") || reaction?.canWake ?? true)
        if reader.has("wake") && !canWake {
            reader.fault("wake", "it needs do = [\"freeze\"]: only a frozen application can be woken")
        }
        let timeout = reader.duration("timeout")
        if timeout == .zero { reader.fault("timeout", "it must be longer than 0") }
        guard reader.faults.isEmpty, let name, let reaction else { return nil }
        self.init(name: name, reaction: reaction)
        self.condition = condition
        self.after = after ?? self.after
        self.unless = unless
        self.power = power
        self.wake = wake
        self.timeout = timeout ?? self.timeout
    }
}

extension Criteria {
    init(_ reader: inout TableReader) {
        self.init()
        application = reader.patterns("application")
        instance = reader.patterns("instance") + reader.patterns("group")
        process = reader.patterns("process")
        (desktop, desktopName) = reader.desktops("desktop")
        monitor = reader.patterns("monitor")
        extent = reader.words("extent")
        title = reader.patterns("title")
        role = reader.patterns("role")
        exclude = reader.patterns("exclude")
    }
}

extension Condition {
    fileprivate init(_ reader: inout TableReader) {
        self.init()
        criteria = Criteria(&reader)
        if reader.has("instance") && reader.has("group") {
            reader.fault("group", "it means the same as instance: choose one of them")
        }
        let read: Change.Level? = reader.word("level")
        level = read ?? level
        from = reader.words("from")
        to = reader.words("to")
        cause = reader.words("cause")
        initial = reader.boolean("initial") ?? initial
        if cause.contains(.title) && !reader.has("title") {
            reader.fault(
                "cause", "'title' needs the key title")
        }
        if cause == [.title] && !from.isEmpty {
            reader.fault(
                "from", "it cannot be combined with the cause 'title': a change of title leaves no phase")
        }
        if !criteria.desktopName.isEmpty && level != .scene {
            reader.fault("desktop", "only scenes have a desktop by name: add level = \"scene\"")
        }
        if from == to, from.count == 1, !reader.has("while") {
            reader.fault("to", "it is the same phase as from, so the hook would never run")
        }
        for key in ["title", "role", "monitor", "extent"]
        where reader.has(key) && level != .scene && (read != nil || !reader.has("level")) {
            reader.fault(key, "only scenes have \(key.withArticle): add level = \"scene\"")
        }
    }
}

extension Hook.Reaction {
    /// Whether `wake` may be set. An empty `do` is a fault already and is not reported twice.
    fileprivate var canWake: Bool {
        guard case .pair(let pair) = self else { return false }
        return pair.builtIns.isEmpty || pair.builtIns.contains(.freeze)
    }

    fileprivate init?(_ reader: inout TableReader, _ condition: Condition) {
        let phases: Set<ScenePhase> = reader.words("while")
        let (builtIns, cap, except) = reader.builtIns()
        let run = reader.arguments("run")
        let shell = reader.shell("shell")
        let enter = reader.arguments("enter")
        let leave = reader.arguments("leave")
        let reasons = Hook.faults(
            in: builtIns, while: phases, level: condition.level, of: condition.criteria.application)
        if reader.has("while") {
            reader.refuseHalfPair()
            for reason in reasons { reader.fault("do", reason) }
            self = .pair(
                Hook.Pair(
                    phases: phases, enter: enter, leave: leave, builtIns: builtIns, except: except, cap: cap))
        } else {
            reader.refuseNoReaction()
            for reason in reasons { reader.fault("do", reason) }
            guard let program = run ?? shell else { return nil }
            self = .run(program)
        }
    }
}

extension TableReader {
    /// The keys that select some of the windows of an application, whose processes may have others.
    private static let partial = ["instance", "group", "process", "desktop", "title", "role"]

    /// Reads the keys `do`, `cap` and `except`.
    fileprivate mutating func builtIns() -> (Set<BuiltIn>, ProcessorCap?, except: Set<Exception>?) {
        let builtIns: Set<BuiltIn> = words("do")
        let except: Set<Exception>? = wordsOrNone("except", none: Exception.none)
        let cap = cap("cap")
        if !misread.contains("do"), builtIns.contains(.cap) != has("cap") {
            let missing = "it is missing: do = [\"cap\"] needs it, as cap = \"20%\""
            fault("cap", has("cap") ? "it needs do = [\"cap\"]" : missing)
        }
        return (builtIns, cap, except)
    }

    fileprivate mutating func hookName() -> String? {
        guard has("name") else {
            fault("name", "it is missing: every hook needs a unique name")
            return nil
        }
        guard let name = string("name") else { return nil }
        if let reason = Hook.fault(inName: name) { fault("name", reason) }
        if name.hasPrefix(Hook.directoryPrefix) {
            fault("name", "'\(Hook.directoryPrefix)' begins the names of executables there")
        }
        return name
    }

    /// Reports keys that cannot be combined with `while`, and a missing `enter` or `leave`.
    fileprivate mutating func refuseHalfPair() {
        let isBuiltIn = has("do") && !has("enter") && !has("leave")
        for key in ["enter", "leave"] where !has(key) && !isBuiltIn {
            fault(
                key,
                has("do")
                    ? "it is missing: enter and leave go together"
                    : "it is missing: a hook with while needs both enter and leave, or do")
        }
        if has("do") && !has("application") {
            fault("do", "it needs application: otherwise it would apply to every application")
        }
        for key in Self.partial where has("do") && has(key) {
            fault(key, "it cannot be combined with do, which applies to whole applications")
        }
        if has("except") && !has("do") {
            fault("except", "it needs do; for programs, use unless")
        }
        for key in ["from", "to"] where has(key) {
            fault(key, "it cannot be combined with while, which determines when the pair begins and ends")
        }
        for key in ["run", "shell"] where has(key) {
            fault(key, "it cannot be combined with while, which runs enter and leave")
        }
    }

    /// Reports keys that need `while`, and a hook that runs nothing.
    fileprivate mutating func refuseNoReaction() {
        let halves = ["enter", "leave", "do", "except"].filter(has)
        for key in halves { fault(key, "it needs while") }
        for key in ["from", "to"] where has("do") && has(key) {
            fault(key, "it cannot be combined with do, which needs while")
        }
        if has("run") && has("shell") {
            fault("shell", "it cannot be combined with run: choose one of them")
        } else if !has("run") && !has("shell") && halves.isEmpty {
            fault("it does nothing: add run or shell, or while with do, or with enter and leave")
        }
    }
}

extension Hook {
    /// Returns why a name is invalid; nil if it is valid.
    static func fault(inName name: String) -> String? {
        if name.isEmpty { return "it is empty" }
        if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "\(name.quoted) contains control characters"
        }
        return nil
    }
}
