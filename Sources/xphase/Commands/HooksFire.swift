import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct HooksFire: Command {
    static let configuration = CommandConfiguration(
        commandName: "fire",
        abstract: "Run a hook now, as if an application entered a phase.",
        discussion: """
            The hook runs at once with its usual environment; its output goes to stdout. Of a pair, 'enter' runs if \
            <phase> is one of its phases, otherwise 'leave'. For built-in reactions, try 'xphase freeze --for 10s'. \
            The application need not be running. A hook on the session takes only the cause, such as 'lock' or \
            'unlock'; without it, its state begins. Exits 1 if the hook fails, or has nothing to act on.

            EXAMPLES
              xphase hooks fire pause-the-player mpv background
              xphase hooks fire lock-the-vault lock
            """
    )

    @Argument(help: .hook, completion: .hook)
    var name: String

    @Argument(help: .subject, completion: .firedSubject, transform: Arguments.patterns)
    var apps: [Pattern]?

    @Argument(help: ArgumentHelp("The phase that it enters, or closed.", valueName: "phase"))
    var phase: PhaseOrClosed?

    func run(_ io: CommandIO) throws {
        let loaded = try LoadedHooks(io.locations(of: io.askIfServed { try $0.status() }))
        guard let hook = loaded.hooks.first(where: { $0.name == name }) else {
            throw CommandFailure.misuse(Hook.refusal(of: name, among: loaded.hooks.map(\.name)))
        }
        // The only name may be the phase.
        let ownPhase = phase ?? apps.flatMap { PhaseOrClosed(rawValue: $0.text) }
        let named = phase == nil && ownPhase != nil ? nil : apps
        let application = named?.text ?? hook.condition.criteria.application.first?.text ?? "APP"
        if hook.program(of: .enter) == nil && hook.program(of: .leave) == nil {
            throw CommandFailure.notFound(
                "hook '\(name)' has no commands: try '\(hook.reactionsByHand(application))'"
                    .escapedForTerminal)
        }
        if !hook.condition.session.isEmpty {
            let change = try sessionChange(of: hook)
            if hook.pair == nil && !change.begins { io.say(Self.mismatch) }
            return try fire(hook, for: .session(change), among: [], io)
        }
        guard let apps, let phase else {
            let words = [name, application, (ownPhase ?? hook.awaitedPhase).rawValue].map(\.quotedForShell)
            let missing = [named == nil ? "<app>" : nil, ownPhase == nil ? "<phase>" : nil].compactMap(\.self)
            throw CommandFailure.misuse(
                "\(missing.joined(separator: " and ")) \(missing.count > 1 ? "are" : "is") missing: "
                    + "xphase hooks fire \(words.joined(separator: " "))".escapedForTerminal)
        }
        let present = try io.present(under: loaded.configuration)
        let found = try subject(of: hook, apps, among: present, io)
        let change = hook.change(to: phase, of: found)
        if !hook.reacts(to: change) {
            io.say(Self.mismatch)
        }
        try fire(hook, for: .change(change), among: present, io)
    }

    private static let mismatch = "this change does not match the hook; running it anyway"

    private func fire(
        _ hook: Hook, for occasion: HookTrigger.Occasion, among present: [Change], _ io: CommandIO
    ) throws {
        let output = Log.standardOutput(isEscaped: true)
        let trigger = HookTrigger(occasion, time: .now())
        try io.logging { io, log in
            let context = HookContext(
                environment: io.environment, display: try? io.servedDisplay(), log: log, output: output)
            let hasSucceeded = try hook.runByHand(for: trigger, among: present, context)
            try StandardOutput.check(output)
            if !hasSucceeded { throw CommandFailure(Exit.notFound) }
        }
    }

    /// Returns the change of the session that the user names, or the first that begins a state of the hook.
    private func sessionChange(of hook: Hook) throws -> SessionChange {
        let own = hook.sessionChanges
        let named = own.first { change in apps.map { $0.text == change.cause?.rawValue } ?? true }
        if let named, phase == nil { return named }
        let words = own.compactMap(\.cause?.rawValue).joined(separator: ", ")
        throw CommandFailure.misuse(
            "hook '\(name)' is about the session: write one of \(words) behind its name".escapedForTerminal)
    }

    /// Returns what the hook is run for; an application without windows if it is not on the display.
    private func subject(
        of hook: Hook, _ apps: [Pattern], among present: [Change], _ io: CommandIO
    ) throws -> Change {
        let level = hook.condition.changes
        let applications = try Subjects(apps, on: nil).applications()
        let there = present.filter { change in
            change.level == level && applications.contains { $0.matches(change) }
        }
        if let found = there.first(where: hook.condition.concerns) ?? there.first { return found }
        guard level == .application else {
            throw CommandFailure.notFound(
                "no \(level) of '\(apps.text.escapedForTerminal)' is on this display")
        }
        io.say("'\(apps.text)' is not on this display: the hook gets no process")
        return .absent(apps[0].text, .phase, .open)
    }
}

extension Hook {
    /// A phase in which the hook acts.
    fileprivate var awaitedPhase: PhaseOrClosed {
        let phases = pair?.times ?? condition.to
        return phases.isEmpty || phases.contains(.background)
            ? .background : PhaseOrClosed.allCases.first(where: phases.contains) ?? .background
    }

    /// The command that performs the reactions of the hook, until it is interrupted.
    fileprivate func reactionsByHand(_ application: String) -> String {
        let phases = (pair?.times ?? []).words.joined(separator: ",")
        let reactions = builtIns.map(\.rawValue).sorted().joined(separator: ",")
        return "xphase on \(application.quotedForShell) \(phases) --initial --do \(reactions)"
    }
}
