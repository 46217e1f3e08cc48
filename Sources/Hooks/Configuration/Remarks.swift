import Console
import PhaseWatch
import System

/// Remarks about valid hooks that cannot work as they are.
extension LoadedHooks {
    /// Returns warnings about causes of hooks that cannot occur under the options, and about values that are probably
    /// meant otherwise.
    ///
    /// - Parameter present: What is on the display; empty if it is unknown.
    public func hints(under options: PhaseMonitor.Options, among present: [Change] = []) -> [String] {
        configuration.hooks.flatMap { hook in
            let causes = hook.condition.cause.sorted { $0.rawValue < $1.rawValue }.compactMap { cause in
                cause.lack(in: options).map { "cause: '\(cause.rawValue)' is never reported, since \($0)" }
            }
            let states = hook.condition.session.sorted().compactMap { state in
                state.lack(in: options).map { "session: '\(state.rawValue)' never begins, since \($0)" }
            }
            let hints =
                causes + states + hook.sessionHints + hook.patternHints + hook.partHints(among: present)
                + hook.variableHints
            return hints.map { "hook \(hook.name.quoted): \($0)" }
        }
    }

    /// Returns a message for each missing program of a hook, with the key that names it and a similar name that exists.
    ///
    /// - Parameters:
    ///   - variables: The environment of hooks. PATH is their search path, HOME their working directory.
    ///   - owner: The owner of the environment: `the service`.
    public func missingPrograms(in variables: Environment, of owner: String) -> [String] {
        let (path, home) = (SearchPath(variables), variables.workingDirectory)
        let named = hooks.flatMap { hook in hook.programs.map { (hook, $0.key, $0.program) } }
        let missing = named.filter { !path.finds($0.2, in: home) }
        let interpreters = named.filter { $0.2.isAbsolute }.compactMap { hook, key, script in
            Self.interpreter(ofScript: script).map { (hook, key, $0) }
        }.filter { !path.finds($0.2, in: home) }
        if missing.isEmpty && interpreters.isEmpty { return [] }
        let names = path.programs
        func absence(of program: SystemString) -> String {
            let near = NearestWord.to(program.description, among: names)
            let meant = near.map { " (did you mean \($0.quoted)?)" } ?? ""
            return "there is no program \(program.description.quoted)\(meant) in the PATH of \(owner)"
        }
        let unable = interpreters.map { hook, key, program in
            "hook \(hook.name.quoted): \(key): the first line of its script names what is missing: \(absence(of: program))"
        }
        let absent = missing.map { hook, key, program in
            let (place, name) = ("hook \(hook.name.quoted): \(key): ", program.description.quoted)
            if program.hasPrefix("~") {
                return "\(place)only a shell expands the ~ of \(name): write the whole path"
            }
            if program.bytes.contains(UInt8(ascii: "/")), !program.isAbsolute {
                return
                    "\(place)\(name) is not in the home directory \(home.description.quoted), where hooks start: "
                    + "write the whole path"
            }
            if program.bytes.contains(UInt8(ascii: "/")) {
                return "\(place)\(name) does not exist or is not executable"
            }
            return "\(place)\(absence(of: program))"
        }
        return unable + absent
    }
}

extension Cause {
    /// Returns why this cause cannot occur under the options, and what to do about it; nil if it can occur.
    fileprivate func lack(in options: PhaseMonitor.Options) -> String? {
        switch self {
        case .away, .back: SessionLimit.away.lack(in: options)
        case .lock, .unlock: SessionLimit.lock.lack(in: options)
        case .displayOff, .displayOn: SessionLimit.displayOff.lack(in: options)
        case .covered, .uncovered:
            options.occlusion == nil ? "occlusion is off: write occlusion = \"2s\" above the hooks" : nil
        case .idle, .return: SessionLimit.idle.lack(in: options)
        default: nil
        }
    }
}

extension SessionLimit {
    /// Returns why this state is not followed under the options, and what to do about it; nil if it is.
    fileprivate func lack(in options: PhaseMonitor.Options) -> String? {
        guard let state = SessionState(rawValue: rawValue) else {
            return options.idle == nil ? "idle is off: write idle = \"5m\" above the hooks" : nil
        }
        let (followed, all) = (options.hidingStates, SessionState.allCases)
        if followed.contains(state) { return nil }
        let list = all.filter { followed.contains($0) || $0 == state }.map { "\"\($0.rawValue)\"" }
        return
            "the setting session has no '\(rawValue)': write session = [\(list.joined(separator: ", "))] above the hooks"
    }
}

extension Hook {
    /// The commands that need no shell, each with its key.
    private var commands: [(key: String, words: [SystemString])] {
        let start = (pair == nil ? "run" : "enter", program(of: .enter))
        return [start, ("leave", pair?.leave), ("unless", unless)].compactMap { key, program in
            if case .arguments(let words) = program { (key, words) } else { nil }
        }
    }

    /// The programs that the hook names, each with its key.
    fileprivate var programs: [(key: String, program: SystemString)] {
        commands.compactMap { key, words in words.first.map { (key, $0) } }
    }

    /// A hint about causes that concern the whole session, of any application.
    fileprivate var sessionHints: [String] {
        let states = condition.cause.compactMap { SessionLimit(rawValue: $0.rawValue) }.sorted()
        guard !states.isEmpty, states.count == condition.cause.count, condition.application.isEmpty else {
            return []
        }
        let words = states.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        let value = states.count == 1 ? words : "[\(words)]"
        return [
            "cause: it runs for each application, and without windows not at all: session = \(value) in its place runs once"
        ]
    }

    /// Hints about globs that look like regular expressions.
    fileprivate var patternHints: [String] {
        let keys = [
            ("application", condition.application), ("exclude", condition.exclude),
            ("title", condition.title), ("instance", condition.instance), ("process", condition.process),
            ("role", condition.role), ("monitor", condition.monitor), ("desktop", condition.desktopName),
        ]
        let lists = keys.filter { !["title", "role", "desktop"].contains($0.0) }.flatMap { key, patterns in
            patterns.map(\.text).filter { $0.contains(",") && !$0.hasPrefix("/") }.map { text in
                let names = text.split(separator: ",").map { "\"\($0.drop { $0 == " " })\"" }
                return "\(key): \(text.quoted) is one name: write a list, [\(names.joined(separator: ", "))]"
                    .escapedForTerminal
            }
        }
        return lists
            + keys.flatMap { key, patterns in
                patterns.map(\.text).filter(Self.looksLikeExpression).map {
                    "\(key): \($0.quoted) is a glob: write a regular expression between slashes, /…/"
                }
            }
    }

    private static func looksLikeExpression(_ text: String) -> Bool {
        if text.hasPrefix("/") { return !text.hasSuffix("/") && text.dropFirst().contains("/") }
        return text.hasPrefix(".*") || text.contains("|") || text.hasPrefix("^") || text.hasSuffix("$")
    }

    /// Hints about variables and the home directory, which only a shell expands.
    fileprivate var variableHints: [String] {
        commands.flatMap { key, words in
            words.dropFirst(words.first == "sh" ? words.count : 1).map(\.description)
                .filter { Self.namesVariable($0) || Self.namesHome($0) }.map {
                    let shell = key == "run" ? "shell = \"…\" in its place" : "[\"sh\", \"-c\", \"…\"]"
                    return "\(key): \($0.quoted) is passed as it is: let a shell expand it, \(shell)"
                }
        }
    }

    private static func namesHome(_ word: String) -> Bool { word == "~" || word.hasPrefix("~/") }

    /// Whether a word begins with `$`, or has `${` or `$NAME` inside. `$NF` of awk(1) is shorter.
    private static func namesVariable(_ word: String) -> Bool {
        if word.hasPrefix("$") { return word.count > 1 }
        return word.split(separator: "$").dropFirst().contains { rest in
            rest.hasPrefix("{") || rest.prefix(3).count { $0 == "_" || $0.isUppercase } == 3
        }
    }
}
