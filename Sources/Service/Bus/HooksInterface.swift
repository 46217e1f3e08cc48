import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// The interface that controls the hooks of a service and freezes by hand.
extension HookSink: VarlinkInterface {
    struct Why: Codable {
        var hook: String
        var application: Pattern?
    }

    /// The parameters of `Pause` and `Resume`.
    struct Pause: Codable {
        /// nil for all.
        var hooks: [String]?
        var milliseconds: Int?
    }

    struct Freeze: Codable {
        var application: String
        /// Matches the instance names of what the user has named; nil for all of the application.
        var part: Pattern?
        var toggle: Bool?
        /// nil for the usual ones.
        var except: Set<Exception>?
        var milliseconds: Int?
    }

    struct Thaw: Codable {
        /// nil for all.
        var application: CalledPatterns?
    }

    /// The answer to `Status`.
    public struct Status: Codable {
        public let rows: [HookStatus]
        /// The configuration file that is in use; nil if none exists.
        public let configuration: String?

        /// Whether the file is the standard input that the service keeps.
        public var isFromInput: Bool { configuration.map(Configuration.isStandardInput) ?? false }
    }

    /// The maximum number of rows in a reply: a client that does not read must not fill the memory.
    private static let mostRows = 4096
    /// The maximum number of names in a reply that refuses them.
    private static let mostNames = 10
    /// The longest duration in a call.
    static let longest = Duration.seconds(366 * 86_400)

    public static let name = "org.xphase.Hooks"
    /// The answer to `Thaw` if it has nothing to do.
    public static let nothingFrozen = "nothing is frozen"

    public static let description = """
        # Controls the hooks of an X display.
        interface org.xphase.Hooks

        # The keys and values of 'xphase hooks status --json'.
        type Row (hook: string, state: string, application: ?string, subject: ?string, since: ?string, until: ?string,
          reactions: []string, unit: ?string, processes: ?int, reason: ?string)

        # The keys and values of 'xphase hooks why --json'.
        type Event (hook: string, application: ?string, what: string, time: string, reason: string)

        # The state of each hook, and of each application or scene that it acts on; the configuration file in use.
        method Status() -> (rows: []Row, configuration: ?string)

        # The latest events of a hook; application is a pattern.
        method Why(hook: string, application: ?string) -> (events: []Event)

        # Pauses these hooks, or all, and undoes their effects, for some time, at most a year, or until Resume. All: thaws
        # what is frozen by hand, too.
        method Pause(hooks: ?[]string, milliseconds: ?int) -> (text: string)
        method Resume(hooks: ?[]string) -> (text: string)

        # Freezes the application with this class name until Thaw, or until it is wanted, or for some time, unless one of
        # the exceptions holds, or windows are visible whose instance name 'part', a pattern, does not match. If it has just
        # started a program and there are exceptions, it is frozen within 30 s; the text says so. With toggle, a frozen one
        # is thawed. What is frozen so already gets the new time.
        method Freeze(application: string, part: ?string, toggle: ?bool, except: ?[]string,
          milliseconds: ?int) -> (text: string)

        # Thaws the applications that a pattern matches, or one of several with commas, or all.
        method Thaw(application: ?string) -> (texts: []string)

        # With more: performs the reactions (freeze, slow, cap, mute) while an application has been in one of the phases,
        # or 'closed' in the tray, for 'after' milliseconds, for as long as the connection lasts. 'application' is a pattern, or several with
        # commas. The first reply, with an empty text, reports that this has begun, the others report what is done. After
        # the client has closed its half of the connection, a last reply with an empty text reports that all is undone.
        method Hold(application: string, phases: []string, after: int, reactions: []string, except: ?[]string, cap: ?string,
          power: ?string, initial: ?bool) -> (text: string)

        error Refused (text: string)

        """

    // MARK: Calls

    public func handle(_ call: VarlinkCall) throws(VarlinkError) {
        switch call.method {
        case "Status": call.reply(Status(rows: Array(status.prefix(Self.mostRows)), configuration: file))
        case "Why":
            let asked: Why = try call.parameters()
            _ = try checked([asked.hook])
            let events = performer?.engine.history[asked.hook] ?? []
            let meant = events.filter { event in
                asked.application.map { event.application.map($0.matches) ?? false } ?? true
            }
            call.reply(["events": meant])
        case "Pause":
            let asked: Pause = try call.parameters()
            let (names, time) = (try checked(asked.hooks), try Self.time(asked.milliseconds))
            let done = "paused" + (time.map { " for \($0.text)" } ?? "")
            let end = time.map { context.sinceBoot() + $0 }
            var texts = [change(names, done) { $0.pause(names, until: end) }]
            // One command undoes everything.
            let byHand = names.isEmpty ? performer?.engine.applicationsByHand ?? [] : []
            if !byHand.isEmpty { texts += try thaw(where: byHand.contains) }
            call.reply(["text": texts.joined(separator: "\n")])
        case "Resume":
            let names = try checked(call.parameters(Pause.self).hooks)
            call.reply(["text": change(names, "resumed") { $0.resume(names) }])
        case "Freeze": try freeze(call.parameters(), for: call)
        case "Thaw":
            let patterns = try call.parameters(Thaw.self).application?.all
            let texts = try thaw { [performer] name in
                let names = [name] + (performer?.seen.instances(of: name) ?? [])
                return patterns?.contains { names.contains(where: $0.matches) } ?? true
            }
            call.reply(["texts": texts])
        case "Hold":
            if !call.wantsMore { throw .expectedMore }
            try perform(call.parameters(), for: call)
        default: throw .methodNotFound(call.method)
        }
    }

    /// The absolute path of the configuration file in use; nil if none exists.
    private var file: String? {
        loaded.file.flatMap { file in
            if file == "-" { return "/proc/\(getpid())/fd/0" }
            let here: SystemString = SystemString("/proc/self/cwd").linkTarget ?? "/"
            return (file.isAbsolute ? file : here.entry(file)).description
        }
    }

    var status: [HookStatus] {
        performer?.engine.status { hold, row in hold.describe(in: &row) } ?? []
    }

    /// - Parameter names: nil for all hooks. An empty list is refused, because it may be a mistake.
    private func checked(_ names: [String]?) throws(VarlinkError) -> [String] {
        guard let names else { return [] }
        if names.isEmpty { throw .invalidParameter("hooks") }
        let known = hooks.map(\.name)
        let unknown = names.lazy.filter { !known.contains($0) }.prefix(Self.mostNames)
        let text = unknown.map { Hook.refusal(of: $0, among: known) }.joined(separator: "\n")
        guard names.count <= known.count else {
            throw .invalidParameter("hooks", text.isEmpty ? "name each hook once" : text)
        }
        if !text.isEmpty { throw .refused(text) }
        return names
    }

    private static func time(_ milliseconds: Int?) throws(VarlinkError) -> Duration? {
        guard let milliseconds else { return nil }
        if milliseconds <= 0 { throw .invalidParameter("milliseconds") }
        let time = Duration.milliseconds(milliseconds)
        if time > longest { throw .invalidParameter("milliseconds", "the time is longer than a year") }
        return time
    }

    /// Changes the pauses.
    ///
    /// - Returns: A message for the user.
    private func change(_ names: [String], _ done: String, _ change: (inout Pauses) -> Void) -> String {
        let quoted = names.map { "'\($0.escapedForTerminal)'" }
        let text = "\(names.isEmpty ? "all hooks" : quoted.joined(separator: ", ")) \(done)"
        context.say("hooks: \(text)")
        if let performer {
            var pauses = performer.engine.pauses
            change(&pauses)
            performer.take(.pauses(pauses))
        }
        return text
    }

    /// Performs the reactions of another program until it releases the call.
    private func perform(_ reaction: ReactionRequest, for call: VarlinkCall) throws(VarlinkError) {
        let names = (hooks + requested.map(\.hook)).map(\.name)
        var name = "on \(call.peer?.pid ?? 0)"
        while names.contains(name) { name += " again" }
        let hook = try reaction.hook(named: name)
        requested.append((call, hook))
        relay("", of: hook)
        useHooks()
        if hook.needsSnapshot { fresh.insert(hook.name) }
        if performer?.engine.pauses[hook.name] != nil {
            relay("all hooks are paused: run 'xphase hooks resume' first", of: hook)
        }
    }

    /// Sends a line about a hook to the program that requests its reactions.
    func relay(_ text: String, of hook: Hook) {
        // A client that does not read loses the line.
        for request in requested where request.hook.name == hook.name && request.call.backlog == 0 {
            request.call.reply(["text": text], isLast: false)
        }
    }

    /// Freezes an application by hand. Answers the call once the application is frozen or the freeze has failed.
    private func freeze(_ asked: Freeze, for call: VarlinkCall) throws(VarlinkError) {
        let name = asked.application
        let time = try Self.time(asked.milliseconds)
        if let time, asked.toggle != true, let job = performer?.engine.freezeByHand(of: name) {
            freezes.append((call, name))
            performer?.take(.freeze(job.trigger, job.hook, for: time))
            return
        }
        let isHeld = performer?.engine.heldApplications.contains(name) == true
        if asked.toggle == true, isHeld || performer?.engine.applicationsByHand.contains(name) == true {
            return call.reply(["text": try thaw { $0 == name }.joined(separator: "\n")])
        }
        if isHeld {
            let text = "\(name.escapedForTerminal) is already frozen\(end(ofFreezeOf: name))"
            let remedy = time == nil ? "" : ": thaw it first to freeze it for another time"
            return call.reply(["text": text + remedy])
        }
        let changes = context.watcher?.present ?? []
        let present = changes.first { $0.level == .application && $0.application == name }
        guard let present else {
            throw .refused("\(name.escapedForTerminal) is not frozen: it has no window")
        }
        if let reason = asked.part.flatMap({ [$0].visibleRest(of: name, among: changes) }) {
            throw .refused("\(name.escapedForTerminal) is not frozen: \(reason)")
        }
        freezes.append((call, name))
        let hook = Hook.byHand(name, except: asked.except)
        performer?.take(.freeze(HookTrigger(change: present, time: .now()), hook, for: time))
    }

    func answerFreeze(of application: String, _ answer: HandFreezeAnswer) {
        let name = application.escapedForTerminal
        for (call, frozen) in freezes where frozen == application {
            switch answer {
            case .frozen: call.reply(["text": "\(name) frozen\(end(ofFreezeOf: application))"])
            case .postponed(let reason, let limit):
                let remedy = "--except none freezes it at once"
                call.reply([
                    "text":
                        "\(name) will be frozen within \(limit.text): \(reason.escapedForTerminal) (\(remedy))"
                ])
            case .failed(let reason):
                let text = reason.hasPrefix("is ") ? reason : "is not frozen: \(reason)"
                call.fail(.refused("\(name) \(text.escapedForTerminal)"))
            }
        }
        freezes.removeAll { $0.application == application }
    }

    /// ` until 12:03:41`; empty for a freeze that no time ends.
    private func end(ofFreezeOf application: String) -> String {
        guard let end = performer?.engine.endOfFreezeByHand(of: application) else { return "" }
        return " until \(TimeText.moment(end))"
    }

    /// - Returns: Messages for the user.
    private func thaw(where isMeant: (String) -> Bool) throws(VarlinkError) -> [String] {
        guard let performer else { return [] }
        let frozen = performer.engine.heldApplications.filter { name in
            performer.freezer.guests(of: name).union([name]).contains(where: isMeant)
        }
        let awake = performer.engine.awakeApplications.filter(isMeant).subtracting(frozen)
        let all = frozen.union(awake)
        if all.isEmpty { return [Self.nothingFrozen] }
        performer.take(.thaw(all))
        let left = performer.engine.heldApplications.intersection(all).sorted()
        if !left.isEmpty { throw .refused(ServiceError.stillFrozen(applications: left).description) }
        return all.sorted().map {
            "\($0.escapedForTerminal) \(awake.contains($0) ? "stays thawed" : "thawed")"
        }
    }
}

extension Hook {
    /// Returns the message about a name that no hook has.
    public static func refusal(of name: String, among names: [String]) -> String {
        if names.isEmpty { return "there are no hooks" }
        let parts = name.split(separator: ",").map(String.init)
        let isList = parts.count > 1 && parts.allSatisfy(names.contains)
        let near =
            isList
            ? "name them apart: \(parts.map(\.quotedForShell).joined(separator: " "))"
            : NearestWord.to(name, among: names).map { "did you mean '\($0)'?" }
        let valid = "there are '\(names.joined(separator: "', '"))'"
        return "there is no hook \(name.quoted); \((near ?? valid).escapedForTerminal)"
    }
}
