import Console
import Glibc
import PhaseWatch
import System

/// Runs hooks for the events of a watch, and reloads them when their files change.
public final class HookSink: Sink {
    /// The output of the programs cannot be written.
    public var isDone: Bool { context.output?.failure != nil }
    /// nil for hooks that cannot change.
    private let files: HookFiles?
    private let overrides: WatchSettings
    let context: HookContext
    private let record: PairRecord?
    let control: ControlSocket?
    public private(set) var loaded: LoadedHooks
    var pauses: Pauses
    /// What the machine runs on, where a hook asks for it.
    let power: PowerSource
    /// The last reload found faults, so that the hooks are older than the configuration.
    public private(set) var isFaulty = false
    private(set) var runner: HookRunner?
    private var rules: WatchRules?
    private var wantsSnapshot = false
    /// The hooks that are new since the last reload.
    private var fresh: Set<Hook> = []
    private var followsFacts: Bool { loaded.hooks.contains(where: \.followsFacts) }

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

    public var details: PhaseWatcher.Details { loaded.details }
    public var signals: [Int32] { EventLoop.stoppingSignals + (files == nil ? [] : [SIGHUP]) }
    public var endingSignals: [Int32] { EventLoop.otherEndingSignals }
    public var next: Duration? {
        [runner?.next, files?.reloadTime, control?.next, pauses.next].compactMap(\.self).min()
    }

    public func join(_ loop: EventLoop) {
        context.join(loop)
        let runner = HookRunner(
            loaded.hooks, context, owed: OwedLeaves(record, loop: loop), loop: loop)
        self.runner = runner
        followPower()
        updateSuspensions()
        if pauses != Pauses() {
            context.say("hooks: what was paused before a crash still is: see 'xphase hooks status'")
        }
        runner.restore()
        control?.join(loop)
        if let descriptor = files?.descriptor { loop.watch(descriptor) }
        if let error = files?.watchError {
            context.say("hooks are read again on SIGHUP only: \(error)")
        }
    }

    public func take(_ events: ChangeBatch, at time: Timestamp, numbers: inout [Int?]) {
        var triggers = events.indices.compactMap {
            HookTrigger(events[$0], number: numbers.isEmpty ? nil : numbers[$0], time: time)
        }
        if followsFacts { triggers += events.refreshed.map { HookTrigger(change: $0, time: time) } }
        if !triggers.isEmpty { runner?.react(to: triggers) }
    }

    public func take(signs applications: Set<String>) {
        runner?.thaw(applications)
    }

    public func takeSnapshot(_ events: ChangeBatch, at time: Timestamp) {
        guard wantsSnapshot else { return }
        wantsSnapshot = false
        runner?.react(to: events.compactMap { HookTrigger($0, number: nil, time: time) }) {
            fresh.contains($0)
        }
    }

    public func ready(_ descriptor: Int32) {
        if control?.ready(descriptor, at: Clock.now(), answer) == true { return }
        if descriptor == power.descriptor { return powerChanged() }
        guard let files, descriptor == files.descriptor else {
            runner?.ready(descriptor)
            return
        }
        do {
            try files.readChanges(at: Clock.now())
        } catch {
            context.say("\(error)")
        }
    }

    public func received(_ signal: Int32) {
        if signal != SIGHUP {
            runner?.stopProcess(by: signal)
            return
        }
        reload(isAsked: true)
    }

    public func wake() {
        if files?.isReloadDue(at: Clock.now()) == true { reload(isAsked: false) }
        control?.expire(at: Clock.now())
        expirePauses()
        runner?.wake()
    }

    public func finishTurn(_ requests: inout WatchRequests) {
        if let notices = runner?.takeNotices() { requests.notices += notices }
        guard let rules else { return }
        self.rules = nil
        requests.rules = rules
        if wantsSnapshot { requests.wantsSnapshot = true }
    }

    /// Passes a signal on to everything that runs.
    public func passOn(_ signal: Int32) {
        runner?.passOn(signal)
    }

    /// Runs every `leave` that is owed, after the watch.
    ///
    /// - Parameter isAsked: A signal has ended the watch.
    /// - Throws: `SystemError`.
    public func finish(isAsked: Bool) throws(SystemError) {
        defer { context.end() }
        // What is not read any longer would be ready all the time.
        control?.close()
        power.forget(runner?.loop)
        if let descriptor = files?.descriptor { runner?.loop.forget(descriptor) }
        try runner?.stop(isAsked: isAsked)
    }

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
        if isAsked || texts != remarks(on: loaded) { texts.forEach(context.say) }
        let (old, wasFaulty) = (loaded, isFaulty)
        (loaded, isFaulty) = (new, false)
        let isNews = isAsked || wasFaulty || new.hooks != old.hooks || new.configuration != old.configuration
        guard isNews else { return }
        context.say("configuration read again: \(new.summary)")
        runner?.update { $0.replace(with: new.hooks, time: .now()) }
        runner?.history.keep(new.hooks.map(\.name))
        followPower()
        updateSuspensions()
        fresh = Set(new.hooks).subtracting(old.hooks)
        wantsSnapshot = wantsSnapshot || fresh.contains { $0.condition.initial || $0.followsFacts }
        let configuration = new.configuration
        rules = WatchRules(
            options: configuration.watch.overridden(by: overrides).options, journal: configuration.journal)
    }
}

extension LoadedHooks {
    /// The details of scenes that the hooks need.
    var details: PhaseWatcher.Details {
        hooks.reduce(.owners) {
            $0.union($1.condition.criteria.details).union($1.condition.level == .scene ? .titles : [])
                .union($1.followsTitles ? .titleChanges : []).union($1.builtIns.isEmpty ? [] : .signs)
        }
    }

    /// `3 hooks from /home/me/.config/xphase/config.toml, 1 from hooks.d`.
    public var summary: String {
        let configured = configuration.hooks.count
        let parts = [
            file.map { "\(configured) \(configured == 1 ? "hook" : "hooks") from \($0)" },
            hooks.count > configured ? "\(hooks.count - configured) from hooks.d" : nil,
        ]
        let text = parts.compactMap(\.self).joined(separator: ", ")
        return text.isEmpty ? "no hooks" : text
    }
}
