import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// A member of a watch that runs hooks for its events and reloads them when their files change.
public final class HookSink: WatchMember {
    /// Whether the watch is to end, because the output of the programs cannot be written.
    public var isDone: Bool { context.output?.failure != nil }
    /// nil if the hooks cannot change.
    private let files: HookFiles?
    private let overriding: (PhaseMonitor.Options) -> PhaseMonitor.Options
    private let context: HookContext
    private let record: PairRecord?
    public private(set) var loaded: LoadedHooks
    private var pauses = Pauses()
    /// The power supply of the machine, which is followed if a hook depends on it.
    private let power = PowerSource()
    /// Whether the last reload found faults. The hooks are then older than the configuration.
    public private(set) var isFaulty = false
    private var performer: HookPerformer?
    /// The rules that have been read in this turn.
    private var rules: (PhaseMonitor.Options, JournalSettings)?
    /// The calls of other programs that are not answered yet.
    private let calls = HookCalls()
    /// All hooks: those of the configuration, and those that programs hold.
    private var hooks: [Hook] { performer?.engine.hooks ?? loaded.hooks }
    /// The names of new hooks that have not received a snapshot yet.
    private var fresh: Set<String> = []

    /// - Parameters:
    ///   - loaded: The hooks to begin with.
    ///   - files: The files to reload the hooks from; nil if the hooks cannot change.
    ///   - overriding: Overrides the options of the files by those of the command line.
    ///   - record: nil if there are no pairs.
    ///   - context: The properties that all hooks share.
    public init(
        _ loaded: LoadedHooks, from files: HookFiles?,
        overriding: @escaping (PhaseMonitor.Options) -> PhaseMonitor.Options = { $0 },
        record: PairRecord?, _ context: HookContext
    ) {
        (self.loaded, self.files, self.overriding) = (loaded, files, overriding)
        (self.record, self.context) = (record, context)
    }

    public var details: PhaseWatcher.Details { hooks.details }
    public var signals: [Int32] { EventLoop.stoppingSignals + (files == nil ? [] : [SIGHUP]) }
    public var endingSignals: [Int32] { EventLoop.otherEndingSignals }
    public var next: Duration? {
        // If the machine sleeps until then, the loop wakes after the sleep, and asks again.
        let pauseEnd = pauses.next.map { Clock.now() + ($0 - context.sinceBoot()) }
        return [performer?.next, files?.reloadTime, pauseEnd].compactMap(\.self).min()
    }

    public func join(_ loop: EventLoop) {
        performer = HookPerformer(loaded.hooks, context, record: record, loop: loop)
        performer?.reportHand = calls.answerFreeze
        followPower()
        if let descriptor = files?.descriptor { loop.watch(descriptor) }
        if let error = files?.watchError {
            context.say("hooks are reloaded only on SIGHUP: \(error)")
        }
    }

    public func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) {
        pass(HookTrigger.of(events, numbers: numbers, for: hooks, at: time))
    }

    public func take(signs applications: Set<String>) {
        performer?.take(.wanted(applications, because: .wanted))
    }

    public func takeSnapshot(_ events: [Event], at time: Timestamp) {
        if fresh.isEmpty { return }
        pass(HookTrigger.of(events, numbers: [], for: [], at: time), only: fresh)
        fresh = []
    }

    private func pass(_ triggers: [HookTrigger], only names: Set<String>? = nil) {
        guard !triggers.isEmpty else { return }
        performer?.take(triggers, only: names)
    }

    public func ready(_ descriptor: Int32) {
        if descriptor == power.descriptor { return powerChanged() }
        guard let files, descriptor == files.descriptor else {
            performer?.ready(descriptor)
            return
        }
        do {
            try files.readChanges(at: Clock.now())
        } catch {
            context.say("\(error)")
        }
    }

    public func received(_ signal: Int32) {
        if signal == SIGHUP { reload(isAsked: true) } else { performer?.stopProcess(by: signal) }
    }

    public func wake() {
        if files?.isReloadDue(at: Clock.now()) == true { reload(isAsked: false) }
        let ended = pauses.expire(at: context.sinceBoot())
        if !ended.isEmpty {
            context.say("hooks: the pause of \(ended.joined(separator: ", ")) has ended")
            updateSuspensions()
        }
        performer?.wake()
    }

    public func finishTurn(_ requests: inout WatchRequests) {
        performer?.takeAll()
        // A program may have released its hook.
        if hooks.count > loaded.hooks.count + calls.hooks.count {
            useHooks()
        }
        calls.answerReleased { performer?.engine.owes($0) == true }
        requests.notices += performer?.notices ?? []
        performer?.notices = []
        if !fresh.isEmpty { requests.wantsSnapshot = true }
        if let rules { requests.rules = rules }
        rules = nil
    }

    /// Forwards a signal to all running programs.
    public func passOn(_ signal: Int32) { performer?.programs.passOn(signal) }

    /// Runs every owed `leave` after the watch.
    ///
    /// - Parameter isAsked: Whether a signal has ended the watch.
    /// - Throws: `SystemError`, `ServiceError.stillFrozen`.
    public func finish(isAsked: Bool) throws {
        defer { context.end() }
        guard let performer else { return }
        context.relay = nil
        // Descriptors that are no longer read would stay ready.
        power.forget(performer.loop)
        if let descriptor = files?.descriptor { performer.loop.forget(descriptor) }
        try performer.stop(isAsked: isAsked)
        let frozen = performer.engine.heldApplications
        if !frozen.isEmpty { throw ServiceError.stillFrozen(applications: frozen.sorted()) }
    }

    /// Runs the `leave` of all pairs that an earlier process has entered, without a watch, and ends the log.
    public static func leaveOwed(_ record: PairRecord, _ context: HookContext) throws(SystemError) {
        let loop = try EventLoop(display: -1, output: nil)
        try HookPerformer([], context, record: record, loop: loop).stop(isAsked: false)
        context.end()
    }

    // MARK: Reloading

    private func remarks(on loaded: LoadedHooks) -> [String] {
        loaded.warnings + loaded.hints(under: overriding(loaded.configuration.options)) + loaded.lacks(.own)
    }

    /// - Parameter isAsked: Whether a signal requested the reload; its sender expects a line in the log.
    private func reload(isAsked: Bool) {
        guard let files else { return }
        let new: LoadedHooks
        do throws(ConfigurationError) {
            new = try files.load()
        } catch {
            for fault in error.faults { context.say(fault) }
            context.say("the old hooks stay in use")
            isFaulty = true
            return
        }
        let texts = remarks(on: new)
        if isAsked || texts != remarks(on: loaded) { for text in texts { context.say(text) } }
        let (old, wasFaulty) = (loaded, isFaulty)
        (loaded, isFaulty) = (new, false)
        let isNews = isAsked || wasFaulty || new.hooks != old.hooks || new.configuration != old.configuration
        guard isNews else { return }
        context.say("configuration reloaded: \(new.summary)")
        useHooks()
        fresh.formUnion(Set(new.hooks).subtracting(old.hooks).filter(\.needsSnapshot).map(\.name))
        rules = (overriding(new.configuration.options), new.configuration.journal)
    }

    // MARK: Power and pauses

    /// Follows the power supply if and only if a hook depends on it.
    private func followPower() {
        defer { updateSuspensions() }
        guard let loop = performer?.loop else { return }
        guard hooks.contains(where: { $0.power != nil }) else { return power.forget(loop) }
        do {
            try power.follow(loop)
        } catch {
            context.say(
                "hooks: cannot detect changes of the power supply (\(error)); the machine is on \(power.now.rawValue)"
            )
        }
    }

    private func powerChanged() {
        guard power.read() else { return }
        context.say("hooks: the machine is now on \(power.now.rawValue)")
        updateSuspensions()
    }

    private func updateSuspensions() {
        let names = Set(hooks.filter { ownStatus($0) != nil }.map(\.name))
        if let performer, names != performer.engine.suspended { performer.take(.suspend(names)) }
    }

    /// Returns the reason why a hook does not react; nil if it reacts.
    private func ownStatus(_ hook: Hook) -> HookStatus? {
        if hook.condition.chosen != nil { return nil }
        if let pause = pauses[hook.name] {
            var row = HookStatus(hook.name, .paused)
            row.until = pause.end.map { UTCTime(.now() + ($0 - context.sinceBoot())) }
            return row
        }
        guard let wanted = hook.power, wanted != power.now else { return nil }
        var row = HookStatus(hook.name, .unpowered)
        row.reason = "the machine is on \(power.now.rawValue), but power = \"\(wanted.rawValue)\""
        return row
    }

    // MARK: Calls of other programs

    /// The maximum number of rows in a reply: a client that does not read must not fill the memory.
    private static let mostRows = 4096

    public func handle(_ call: VarlinkCall) throws(VarlinkError) {
        switch call.method {
        case "Status": call.reply(["rows": Array(status.prefix(Self.mostRows))])
        case "Why":
            let asked: Why = try call.parameters()
            _ = try checked([asked.hook])
            let events = performer?.engine.history[asked.hook] ?? []
            call.reply(["events": events.filter { asked.application?.matches($0.application) ?? true }])
        case "Pause":
            let asked: Pause = try call.parameters()
            let (names, time) = (try checked(asked.hooks), try Self.time(asked.milliseconds))
            pauses.pause(names, until: time.map { context.sinceBoot() + $0 })
            call.reply(["text": usePauses(names, "paused" + (time.map { " for \($0.text)" } ?? ""))])
        case "Resume":
            let names = try checked(call.parameters(Pause.self).hooks)
            pauses.resume(names)
            call.reply(["text": usePauses(names, "resumed")])
        case "Freeze": try freeze(call.parameters(), for: call)
        case "Thaw":
            let pattern = try call.parameters(Thaw.self).application
            let texts = try thaw { [performer] name in
                let names = [name] + (performer?.seen.instances(of: name) ?? [])
                return pattern.map { names.contains(where: $0.matches) } ?? true
            }
            call.reply(["texts": texts])
        case "Hold":
            if !call.wantsMore { throw .expectedMore }
            try hold(call.parameters(), for: call)
        default: throw .methodNotFound(call.method)
        }
    }

    var status: [HookStatus] {
        performer?.engine.status(own: ownStatus) { hold, row in hold.describe(in: &row) } ?? []
    }

    /// - Parameter names: nil for all hooks. An empty list is refused, because it may be a mistake.
    private func checked(_ names: [String]?) throws(VarlinkError) -> [String] {
        guard let names else { return [] }
        if names.isEmpty { throw .invalidParameter("hooks") }
        let known = hooks.map(\.name)
        let faults = names.filter { !known.contains($0) }.map { Hook.refusal(of: $0, among: known) }
        if !faults.isEmpty { throw .refused(faults.joined(separator: "\n")) }
        return names
    }

    private static func time(_ milliseconds: Int?) throws(VarlinkError) -> Duration? {
        if let milliseconds, milliseconds <= 0 { throw .invalidParameter("milliseconds") }
        return milliseconds.map { .milliseconds($0) }
    }

    /// - Returns: A message for the user.
    private func usePauses(_ names: [String], _ done: String) -> String {
        let quoted = names.map { "'\($0.escapedForTerminal)'" }
        let text = "\(names.isEmpty ? "all hooks" : quoted.joined(separator: ", ")) \(done)"
        context.say("hooks: \(text)")
        updateSuspensions()
        return text
    }

    /// Passes the hooks of the configuration and those that programs hold to the engine.
    private func useHooks() {
        performer?.take(.reload(loaded.hooks + calls.hooks))
        pauses.keep(hooks.map(\.name))
        followPower()
    }

    /// Performs the reactions of another program until it releases the call.
    private func hold(_ reaction: HeldReaction, for call: VarlinkCall) throws(VarlinkError) {
        let hook = try calls.hold(reaction, for: call, among: hooks.map(\.name))
        context.relay = { [calls] job, text in calls.relay(text, of: job.hook) }
        useHooks()
        if hook.needsSnapshot { fresh.insert(hook.name) }
        if pauses[hook.name] != nil {
            calls.relay("all hooks are paused: run 'xphase hooks resume' first", of: hook)
        }
    }

    /// Freezes an application by hand. Answers the call once the application is frozen or the freeze has failed.
    private func freeze(_ asked: Freeze, for call: VarlinkCall) throws(VarlinkError) {
        let name = asked.application
        let time = try Self.time(asked.milliseconds)
        if performer?.engine.heldApplications.contains(name) == true {
            let texts =
                asked.toggle == true
                ? try thaw { $0 == name } : ["\(name.escapedForTerminal) is already frozen"]
            return call.reply(["text": texts.joined(separator: "\n")])
        }
        let present = context.watcher?.present.first { $0.level == .application && $0.application == name }
        guard let present else {
            throw .refused("\(name.escapedForTerminal) is not frozen: it has no window")
        }
        calls.awaitFreeze(of: name, for: call)
        let hook = Hook.byHand(name, except: asked.except)
        performer?.take(.freeze(HookTrigger(change: present, time: .now()), hook, for: time))
    }

    /// - Returns: Messages for the user.
    private func thaw(where isMeant: (String) -> Bool) throws(VarlinkError) -> [String] {
        guard let performer else { return [] }
        let frozen = performer.engine.heldApplications.filter(isMeant)
        let awake = performer.engine.awakeApplications.filter(isMeant).subtracting(frozen)
        let all = frozen.union(awake)
        if all.isEmpty { return ["nothing is frozen"] }
        performer.take(.thaw(all))
        let left = performer.engine.heldApplications.intersection(all).sorted()
        if !left.isEmpty { throw .refused(ServiceError.stillFrozen(applications: left).description) }
        return all.sorted().map {
            "\($0.escapedForTerminal) \(awake.contains($0) ? "stays thawed" : "thawed")"
        }
    }
}
