import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// A sink that runs hooks for the events of a watch and reloads them when their files change.
public final class HookSink: Sink, LoopPart {
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
    private let power: PowerSource
    /// Whether the last reload found faults. The hooks are then older than the configuration.
    public private(set) var isFaulty = false
    private var performer: HookPerformer?
    /// Whether the configuration has been read again in this turn.
    private var hasNewRules = false
    /// The calls of other programs that are not answered yet.
    private let calls = HookCalls()
    /// All hooks: those of the configuration, and those that programs hold.
    private var hooks: [Hook] { performer?.engine.hooks ?? loaded.hooks }
    /// The names of new hooks that have not received a snapshot yet.
    private var fresh: Set<String> = []

    /// - Parameters:
    ///   - files: The files to reload the hooks from; nil if the hooks cannot change.
    ///   - overriding: Overrides the options of the files by those of the command line.
    ///   - record: nil if there are no pairs.
    ///   - powerDirectory: The directory in which the kernel describes the power supplies.
    public init(
        _ loaded: LoadedHooks, from files: HookFiles?,
        overriding: @escaping (PhaseMonitor.Options) -> PhaseMonitor.Options = { $0 },
        record: PairRecord?, powerDirectory: SystemString = "/sys/class/power_supply", _ context: HookContext
    ) {
        self.loaded = loaded
        self.files = files
        self.overriding = overriding
        self.record = record
        power = PowerSource(directory: powerDirectory)
        self.context = context
    }

    public var details: PhaseWatcher.Details { hooks.details }
    public var signals: [Int32] { EventLoop.stoppingSignals + (files == nil ? [] : [SIGHUP]) }
    public var endingSignals: [Int32] { EventLoop.otherEndingSignals }
    public var next: Duration? {
        [performer?.next, files?.reloadTime, pauses.next.map(context.monotonic)].compactMap(\.self).min()
    }

    public func join(_ loop: EventLoop) {
        context.join(loop)
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
        performer?.note(triggers.lazy.map(\.change))
        performer?.take(.changes(triggers, only: names))
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
        if pauses.expire(at: context.sinceBoot()) {
            context.say("hooks: a pause has ended")
            updateSuspensions()
        }
        performer?.wake()
    }

    public func finishTurn(_ requests: inout WatchRequests) {
        performer?.takeAll()
        if calls.release() {
            useHooks()
            pauses.keep(hooks.map(\.name))
        }
        calls.answerLeft { performer?.engine.owes($0) == true }
        requests.notices += performer?.notices ?? []
        performer?.notices = []
        if !fresh.isEmpty { requests.wantsSnapshot = true }
        guard hasNewRules else { return }
        hasNewRules = false
        let configuration = loaded.configuration
        requests.rules = (overriding(configuration.options), configuration.journal)
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
        context.join(loop)
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
        let added = Set(new.hooks).subtracting(old.hooks)
        if added.contains(where: \.needsSnapshot) {
            fresh.formUnion(added.map(\.name))
        }
        hasNewRules = true
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
                "hooks: changes of the power supply are not detected (\(error)): now on \(power.now.rawValue)"
            )
        }
    }

    private func powerChanged() {
        guard power.read() else { return }
        context.say("hooks: the machine runs on \(power.now.rawValue) now")
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
        row.reason = "the machine is on \(power.now.rawValue), and power = \"\(wanted.rawValue)\""
        return row
    }

    // MARK: Calls of other programs

    var status: [HookStatus] {
        performer?.engine.status(own: ownStatus) { hold, row in hold.describe(in: &row) } ?? []
    }

    /// Returns the latest events of a hook.
    func events(of name: String) throws(VarlinkError) -> [HookEvent] {
        try check([name])
        return performer?.engine.history[name] ?? []
    }

    /// - Returns: A message for the user.
    func pause(_ names: [String], for time: Duration?) throws(VarlinkError) -> String {
        try check(names)
        pauses.pause(names, until: time.map { context.sinceBoot() + $0 })
        return usePauses(names, "paused" + (time.map { " for \($0.text)" } ?? ""))
    }

    /// - Returns: A message for the user.
    func resume(_ names: [String]) throws(VarlinkError) -> String {
        try check(names)
        pauses.resume(names)
        return usePauses(names, "resumed")
    }

    private func usePauses(_ names: [String], _ done: String) -> String {
        let who =
            names.isEmpty ? "all hooks" : names.map { "'\($0.escapedForTerminal)'" }.joined(separator: ", ")
        context.say("hooks: \(who) \(done)")
        updateSuspensions()
        return "\(who) \(done)"
    }

    private func check(_ names: [String]) throws(VarlinkError) {
        let known = hooks.map(\.name)
        let faults = names.filter { !known.contains($0) }.map { Hook.refusal(of: $0, among: known) }
        if !faults.isEmpty { throw .refused(faults.joined(separator: "\n")) }
    }

    /// Passes the hooks of the configuration and those that programs hold to the engine.
    private func useHooks() {
        performer?.take(.reload(loaded.hooks + calls.hooks))
        followPower()
    }

    /// Performs the reactions of another program until it releases the call.
    func hold(_ reaction: HeldReaction, for call: VarlinkPeer) throws(VarlinkError) {
        let hook = try calls.hold(reaction, for: call, among: hooks.map(\.name))
        context.relay = { [calls] job, text in calls.relay(text, of: job.hook) }
        useHooks()
        if hook.needsSnapshot { fresh.insert(hook.name) }
        if pauses[hook.name] != nil {
            calls.relay("all hooks are paused: run 'xphase hooks resume' first", of: hook)
        }
    }

    /// Freezes an application by hand. Answers the call once the application is frozen or the freeze has failed.
    ///
    /// - Parameter time: How long it stays frozen at most; nil for no limit.
    func freeze(
        _ application: String, toggles: Bool, except: Set<Exception>?, time: Duration?, for call: VarlinkPeer
    ) throws(VarlinkError) {
        if performer?.engine.heldApplications.contains(application) == true {
            let texts =
                toggles
                ? try thaw { $0 == application } : ["\(application.escapedForTerminal) is already frozen"]
            return call.reply(HooksInterface.Text(text: texts.joined(separator: "\n")))
        }
        let present = context.watcher?.present.first {
            $0.level == .application && $0.application == application
        }
        guard let present else {
            throw .refused("\(application.escapedForTerminal) is not frozen: it has no window")
        }
        calls.awaitFreeze(of: application, for: call)
        let hook = Hook.byHand(application, except: except)
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

    /// Thaws the applications with a class or instance name that a pattern matches, or all.
    ///
    /// - Returns: Messages for the user.
    func thaw(_ pattern: Pattern?) throws(VarlinkError) -> [String] {
        guard let pattern else { return try thaw { _ in true } }
        return try thaw { [performer] application in
            pattern.matches(application)
                || performer?.seen.instances(of: application).contains(where: pattern.matches) ?? false
        }
    }
}
