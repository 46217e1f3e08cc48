import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// Runs hooks for the events of a watch, and reloads them when their files change.
public final class HookSink: Sink {
    /// The output of the programs cannot be written.
    public var isDone: Bool { context.output?.failure != nil || hasYielded }
    /// A service takes over the display.
    public private(set) var hasYielded = false
    /// nil for hooks that cannot change.
    private let files: HookFiles?
    private let overrides: WatchSettings
    private let context: HookContext
    private let record: PairRecord?
    private let control: ControlSocket?
    public private(set) var loaded: LoadedHooks
    private var pauses: Pauses
    /// What the machine runs on, where a hook asks for it.
    private let power: PowerSource
    /// The last reload found faults, so that the hooks are older than the configuration.
    public private(set) var isFaulty = false
    private var performer: HookPerformer?
    private var rules: WatchRules?
    /// The reactions of other commands, by their connections.
    private var held: [Int32: Hook] = [:]
    private var byHand = HandFreezes()
    /// Connections whose reactions are being undone.
    private var leaving: [Int32: String] = [:]
    private var changesDetails = false
    /// All hooks that react.
    private var hooks: [Hook]
    /// The names of the hooks that are new since the last reload, until they have seen what is there.
    private var fresh: Set<String> = []

    /// - Parameters:
    ///   - files: The files that they are reloaded from; nil for hooks that cannot change.
    ///   - overrides: What the command line sets, whatever the files say.
    ///   - record: nil where there are no pairs.
    ///   - control: Where other commands ask; nil where none may.
    ///   - powerDirectory: Where the kernel shows what feeds the machine.
    public init(
        _ loaded: LoadedHooks, from files: HookFiles?, overrides: WatchSettings = WatchSettings(),
        record: PairRecord?, control: ControlSocket? = nil,
        powerDirectory: SystemString = "/sys/class/power_supply", _ context: HookContext
    ) {
        self.loaded = loaded
        hooks = loaded.hooks
        self.files = files
        self.overrides = overrides
        self.record = record
        self.control = control
        pauses = control?.pauses.read() ?? Pauses()
        pauses.keep(loaded.hooks.map(\.name))
        _ = pauses.expire(at: Clock.now())
        power = PowerSource(directory: powerDirectory)
        self.context = context
    }

    public var details: PhaseWatcher.Details { hooks.details }
    public var signals: [Int32] { EventLoop.stoppingSignals + (files == nil ? [] : [SIGHUP]) }
    public var endingSignals: [Int32] { EventLoop.otherEndingSignals }
    public var next: Duration? {
        var next = performer?.next
        for moment in [files?.reloadTime, control?.next, pauses.next] {
            if let moment { next = min(next ?? moment, moment) }
        }
        return next
    }

    public func join(_ loop: EventLoop) {
        context.join(loop)
        performer = HookPerformer(loaded.hooks, context, record: record, loop: loop)
        followPower()
        updateSuspensions()
        if pauses != Pauses() {
            context.say("hooks: what was paused before a crash still is: see 'xphase hooks status'")
        }
        control?.join(loop)
        if let descriptor = files?.descriptor { loop.watch(descriptor) }
        if let error = files?.watchError {
            context.say("hooks are read again on SIGHUP only: \(error)")
        }
    }

    public func take(_ events: ChangeBatch, at time: Timestamp, numbers: inout [Int?]) {
        pass(HookTrigger.of(events, numbers: numbers, for: hooks, at: time))
    }

    public func take(signs applications: Set<String>) {
        performer?.take(.wanted(applications, because: .wanted))
    }

    public func takeSnapshot(_ events: ChangeBatch, at time: Timestamp) {
        if fresh.isEmpty { return }
        pass(HookTrigger.of(events, numbers: [], for: [], at: time), only: fresh)
        fresh = []
        settleByHand()
    }

    private func pass(_ triggers: [HookTrigger], only names: Set<String>? = nil) {
        guard !triggers.isEmpty else { return }
        performer?.note(triggers.lazy.map(\.change))
        performer?.take(.changes(triggers, only: names))
    }

    public func ready(_ descriptor: Int32) {
        if control?.ready(descriptor, at: Clock.now(), answer) == true { return }
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
        control?.expire(at: Clock.now())
        expirePauses()
        performer?.wake()
    }

    public func finishTurn(_ requests: inout WatchRequests) {
        dismissReleased()
        settleByHand()
        if let notices = performer?.takeNotices() { requests.notices += notices }
        if changesDetails { requests.changesDetails = true }
        changesDetails = false
        if !fresh.isEmpty { requests.wantsSnapshot = true }
        guard let rules else { return }
        self.rules = nil
        requests.rules = rules
    }

    /// Passes a signal on to everything that runs.
    public func passOn(_ signal: Int32) { performer?.passOn(signal) }

    /// Runs every `leave` that is owed, after the watch.
    ///
    /// - Parameter isAsked: A signal has ended the watch.
    /// - Throws: `SystemError`, `ServiceError.stillFrozen`.
    public func finish(isAsked: Bool) throws {
        defer { context.end() }
        guard let performer else { return }
        // What is not read any longer would be ready all the time.
        control?.close()
        context.relay = nil
        power.forget(performer.loop)
        if let descriptor = files?.descriptor { performer.loop.forget(descriptor) }
        try performer.stop(isAsked: isAsked)
        let frozen = performer.engine.heldApplications
        if !frozen.isEmpty { throw ServiceError.stillFrozen(applications: frozen.sorted()) }
    }

    /// Leaves what an earlier process has entered, without a watch. The log is ended with it.
    public static func leaveOwed(_ record: PairRecord, _ context: HookContext) throws(SystemError) {
        let loop = try EventLoop(display: -1, output: nil)
        context.join(loop)
        try HookPerformer([], context, record: record, loop: loop).stop(isAsked: false)
        context.end()
    }

    // MARK: Reloading

    private func remarks(on loaded: LoadedHooks) -> [String] {
        loaded.warnings + loaded.hints(overrides) + loaded.lacks(.own)
    }

    /// - Parameter isAsked: A signal asked for it, and its sender waits for a line.
    private func reload(isAsked: Bool) {
        guard let files else { return }
        let new: LoadedHooks
        do throws(ConfigurationError) {
            new = try files.load()
        } catch {
            for fault in error.faults { context.say(fault) }
            context.say("the old hooks stay")
            isFaulty = true
            return
        }
        let texts = remarks(on: new)
        if isAsked || texts != remarks(on: loaded) { for text in texts { context.say(text) } }
        let (old, wasFaulty) = (loaded, isFaulty)
        (loaded, isFaulty) = (new, false)
        let isNews = isAsked || wasFaulty || new.hooks != old.hooks || new.configuration != old.configuration
        guard isNews else { return }
        context.say("configuration read again: \(new.summary)")
        useHooks()
        followPower()
        updateSuspensions()
        let added = Set(new.hooks).subtracting(old.hooks)
        if added.contains(where: { $0.condition.initial || $0.followsFacts }) {
            fresh.formUnion(added.map(\.name))
        }
        let configuration = new.configuration
        rules = WatchRules(
            options: configuration.watch.overridden(by: overrides).options, journal: configuration.journal)
    }

    // MARK: Power and pauses

    /// Follows the power supply if a hook asks for it, and only then.
    private func followPower() {
        guard let loop = performer?.loop else { return }
        guard loaded.hooks.contains(where: { $0.power != nil }) else { return power.forget(loop) }
        do {
            try power.follow(loop)
        } catch {
            context.say(
                "hooks: changes of battery and mains are not seen (\(error)): now on \(power.now.rawValue)"
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

    private func expirePauses() {
        guard pauses.expire(at: Clock.now()) else { return }
        keepPauses()
        context.say("hooks: a pause is over")
        updateSuspensions()
    }

    private func keepPauses() {
        do { try control?.pauses.write(pauses) } catch {
            context.say("hooks: the pause is lost if xphase crashes: \(error)")
        }
    }

    /// Why a hook reacts to nothing; nil if it reacts.
    private func ownStatus(_ hook: Hook) -> HookStatus? {
        if hook.condition.chosen != nil { return nil }
        if let pause = pauses[hook.name] {
            var row = HookStatus(hook.name, .paused)
            row.until = pause.end.map { .now() + ($0 - Clock.now()) }
            return row
        }
        guard let wanted = hook.power, wanted != power.now else { return nil }
        var row = HookStatus(hook.name, .unpowered)
        row.reason = "the machine is on \(power.now.rawValue), and power = \"\(wanted.rawValue)\""
        return row
    }

    // MARK: Requests

    /// What other commands ask.
    private func answer(_ request: ControlRequest, _ connection: Int32) -> ControlAnswer? {
        switch request {
        case .status:
            return ControlAnswer(rows: performer?.status(ownStatus) ?? [])
        case .why(let name):
            let known = hooks.map(\.name)
            guard known.contains(name) else {
                return ControlAnswer(fault: Hook.refusal(of: name, among: known))
            }
            let rows = performer?.status(ownStatus).filter { $0.hook == name }
            return ControlAnswer(rows: rows ?? [], events: performer?.engine.history[name] ?? [])
        case .pause(let time, let names):
            let time = time.map { Duration.milliseconds($0) }
            return change(names) {
                pauses.pause(names, until: time.map { Clock.now() + $0 })
                return "paused" + (time.map { " for \($0.text)" } ?? "")
            }
        case .resume(let names):
            return change(names) {
                pauses.resume(names)
                return "resumed"
            }
        case .thawed:
            performer?.take(.thaw(nil))
            return ControlAnswer()
        case .freeze(let application, let toggles):
            guard performer?.engine.heldApplications.contains(application) == true else {
                return freeze(application, for: connection)
            }
            return toggles
                ? thaw { $0 == application }
                : ControlAnswer(texts: ["\(application.escapedForTerminal) is frozen already"])
        case .thaw(let pattern): return thaw { pattern?.matches($0) ?? true }
        case .hold(let hook): return hold(hook, for: connection)
        case .yield:
            if files != nil { return ControlAnswer(fault: "a service serves this display") }
            hasYielded = true
            return ControlAnswer()
        }
    }

    /// Runs reactions of another command, until it goes away.
    private func hold(_ hook: Hook, for connection: Int32) -> ControlAnswer {
        guard case .pair(let pair) = hook.reaction, pair.enter == nil, pair.leave == nil, hook.isReckonable
        else {
            return ControlAnswer(fault: "only what is built in is done for other commands")
        }
        let faults = Hook.faults(
            in: pair.builtIns, while: pair.phases, level: hook.condition.level,
            of: hook.condition.criteria.application)
        if !faults.isEmpty || pair.builtIns.isEmpty || hooks.contains(where: { $0.name == hook.name }) {
            return ControlAnswer(
                fault: faults.isEmpty
                    ? "there is a hook '\(hook.name)' already" : faults.joined(separator: "\n"))
        }
        held[connection] = hook
        context.relay = { [weak self] job, text in self?.relay(text, about: job) }
        useHooks()
        updateSuspensions()
        if hook.condition.initial || hook.followsFacts { fresh.insert(hook.name) }
        return ControlAnswer()
    }

    /// - Returns: nil: the answer comes later.
    private func freeze(_ application: String, for connection: Int32) -> ControlAnswer? {
        if let hook = byHand.add(application, for: connection) {
            useHooks()
            fresh.insert(hook.name)
        }
        return nil
    }

    private func thaw(where isMeant: (String) -> Bool) -> ControlAnswer {
        let frozen = Set(performer?.engine.heldApplications.filter(isMeant) ?? [])
        if !frozen.isEmpty { performer?.take(.thaw(frozen)) }
        let left = performer?.engine.heldApplications.intersection(frozen).sorted() ?? []
        if !left.isEmpty {
            return ControlAnswer(fault: ServiceError.stillFrozen(applications: left).description)
        }
        return ControlAnswer(
            texts: frozen.isEmpty
                ? ["nothing is frozen"] : frozen.sorted().map { "\($0.escapedForTerminal) thawed" })
    }

    private func settleByHand() {
        guard byHand.count > 0, let performer else { return }
        let (frozen, count) = (performer.engine.frozenApplications, byHand.count)
        let answers = byHand.settle(frozen.contains) { hook in
            fresh.contains(hook.name) ? nil : performer.status(ownStatus).first { $0.hook == hook.name }
        }
        for (connection, answer) in answers { control?.respond(answer, to: connection) }
        if byHand.count < count { useHooks() }
    }

    /// Runs those of the configuration, and those that commands hold.
    private func useHooks() {
        hooks = loaded.hooks + (held.values + byHand.hooks).sorted { $0.name < $1.name }
        performer?.take(.reload(hooks))
        changesDetails = true
    }

    private func relay(_ text: String, about job: Job) {
        let names = held.mapValues(\.name).merging(leaving) { $1 }
        for (connection, name) in names where name == job.hook.name { control?.tell(text, connection) }
    }

    /// Leaves what commands have held that have gone away, and lets go of those whose reactions were undone.
    private func dismissReleased() {
        for connection in control?.takeReleased() ?? [] {
            guard let hook = held.removeValue(forKey: connection) else { continue }
            leaving[connection] = hook.name
            useHooks()
            pauses.keep(hooks.map(\.name))
        }
        for (connection, name) in leaving where performer?.engine.owes(name) != true {
            leaving[connection] = nil
            control?.dismiss(connection)
        }
    }

    private func change(_ names: [String], _ body: () -> String) -> ControlAnswer {
        let known = hooks.map(\.name)
        let faults = names.filter { !known.contains($0) }.map { Hook.refusal(of: $0, among: known) }
        if !faults.isEmpty { return ControlAnswer(fault: faults.joined(separator: "\n")) }
        let done = body()
        keepPauses()
        let who =
            names.isEmpty ? "all hooks" : names.map { "'\($0.escapedForTerminal)'" }.joined(separator: ", ")
        context.say("hooks: \(who) \(done)")
        updateSuspensions()
        return ControlAnswer(texts: ["\(who) \(done)"])
    }
}
