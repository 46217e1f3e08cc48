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
    let context: HookContext
    private let record: UndoRecord?
    public private(set) var loaded: LoadedHooks
    /// What the system lacks for them.
    private var lacks: [String] = []
    /// The power supply of the machine, which is followed if a hook depends on it.
    private let power = PowerSource()
    /// Whether the last reload found faults. The hooks are then older than the configuration.
    public private(set) var isFaulty = false
    /// Whether the files are being read.
    public var isReloading: Bool { files?.isReloading ?? false }
    private(set) var performer: HookPerformer?
    /// The rules that have been read in this turn.
    private var rules: (PhaseMonitor.Options, JournalSettings)?
    /// Calls that wait for a freeze by hand.
    var freezes: [(call: VarlinkCall, application: String)] = []
    /// Calls that request the reactions of a hook. Released ones wait until the reactions are undone.
    var requested: [(call: VarlinkCall, hook: Hook)] = []
    /// The hooks of the configuration and those that programs request.
    private var all: [Hook] { loaded.hooks + requested.filter { !$0.call.isReleased }.map(\.hook) }
    /// The hooks in use.
    var hooks: [Hook] { performer?.engine.hooks ?? loaded.hooks }
    private var hasBegun = false
    /// The names of new hooks that have not received a snapshot yet.
    var fresh: Set<String> = []

    /// - Parameters:
    ///   - loaded: The hooks to begin with.
    ///   - files: The files to reload the hooks from; nil if the hooks cannot change.
    ///   - overriding: Overrides the options of the files by those of the command line.
    ///   - record: nil if there are no pairs.
    ///   - context: The properties that all hooks share.
    public init(
        _ loaded: LoadedHooks, from files: HookFiles?,
        overriding: @escaping (PhaseMonitor.Options) -> PhaseMonitor.Options = { $0 },
        record: UndoRecord?, _ context: HookContext
    ) {
        (self.loaded, self.files, self.overriding) = (loaded, files, overriding)
        (self.record, self.context) = (record, context)
    }

    /// Signs matter only to what is held; they make each event urgent.
    public var details: PhaseWatcher.Details {
        hooks.details.subtracting(performer?.engine.holdsNothing ?? true ? .signs : [])
    }
    public var signals: [Int32] { EventLoop.stoppingSignals + (files == nil && !isFromInput ? [] : [SIGHUP]) }
    /// Whether the hooks are those of standard input, which cannot be read again.
    private var isFromInput: Bool { loaded.file == "-" }
    public var endingSignals: [Int32] { EventLoop.otherEndingSignals }
    public var next: Duration? {
        [performer?.next, files?.reloadTime].compactMap(\.self).min()
    }

    public func join(_ loop: EventLoop) {
        performer = HookPerformer(loaded.hooks, context, record: record, loop: loop)
        performer?.reportHand = { [unowned self] in answerFreeze(of: $0, $1) }
        context.relay = { [unowned self] job, text in relay(text, of: job.hook) }
        followPower()
        guard let files else { return }
        lacks = loaded.lacks(.own)
        switch files.watch {
        case .success(let watch):
            loop.watch(watch.descriptor) { files.readChanges(at: Clock.now()) }
        case .failure(let error): context.say("hooks are reloaded only on SIGHUP: \(error)")
        }
    }

    public func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) {
        let isStart = !hasBegun
        hasBegun = true
        performer?.take(HookTrigger.of(events, numbers: numbers, for: hooks, isStart: isStart, at: time))
    }

    public func take(signs applications: Set<String>) {
        performer?.take(signs: applications)
    }

    public func takeSnapshot(_ events: [Event], at time: Timestamp) {
        if fresh.isEmpty { return }
        performer?.take(HookTrigger.of(events, numbers: [], for: [], at: time), only: fresh)
        performer?.takeSurvivors(only: fresh, at: time)
        fresh = []
    }

    public func received(_ signal: Int32) {
        if signal == SIGHUP { reload(isAsked: true) } else { performer?.stopProcess(by: signal) }
    }

    public func wake() {
        if files?.isReloadDue(at: Clock.now()) == true { reload(isAsked: false) }
        performer?.wake()
    }

    public func finishTurn(_ requests: inout WatchRequests) {
        performer?.takeAll()
        // A program may have released its hook.
        if hooks.count > all.count { useHooks() }
        requested.removeAll { call, hook in
            let isUndone = call.isReleased && performer?.engine.owes(hook.name) != true
            if isUndone { call.reply(["text": ""]) }
            return isUndone
        }
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
        defer { context.endOutput() }
        guard let performer else { return }
        try performer.stop(isAsked: isAsked)
        let frozen = performer.engine.heldApplications
        if !frozen.isEmpty { throw ServiceError.stillFrozen(applications: frozen.sorted()) }
    }

    /// Runs the `leave` of all pairs that an earlier process has entered, without a watch.
    public static func leaveOwed(_ record: UndoRecord, _ context: HookContext) throws(SystemError) {
        let loop = try EventLoop(display: -1, output: nil)
        try HookPerformer([], context, record: record, loop: loop).stop(isAsked: false)
    }

    // MARK: Reloading

    private func remarks(on loaded: LoadedHooks, _ lacks: [String]) -> [String] {
        loaded.warnings + loaded.hints(under: overriding(loaded.configuration.options)) + lacks
    }

    /// Begins to read the files. The old hooks stay in use until they are read.
    ///
    /// - Parameter isAsked: Whether a signal requested the reload; its sender expects a line in the log.
    private func reload(isAsked: Bool) {
        if isFromInput { context.say("the hooks stay in use: standard input cannot be read again") }
        guard let files, let loop = performer?.loop else { return }
        do throws(SystemError) {
            let answers = try files.reload(isAsked: isAsked)
            loop.watch(answers) { [unowned self] in for news in files.takeReloaded() { take(news) } }
        } catch {
            context.say("the old hooks stay in use: \(error)")
        }
    }

    private func take(_ reloaded: HookFiles.Reloaded) {
        if let fault = reloaded.fault { context.say("\(fault)") }
        let new: LoadedHooks
        do throws(ConfigurationError) {
            new = try reloaded.hooks.get()
        } catch {
            for fault in error.faults { context.say(fault) }
            context.say("the old hooks stay in use")
            isFaulty = true
            return
        }
        let isAsked = reloaded.isAsked
        let known = isAsked ? [] : Set(remarks(on: loaded, lacks))
        let texts = remarks(on: new, reloaded.lacks).filter { !known.contains($0) }
        for text in LoadedHooks.shortened(texts) { context.say(text) }
        let (old, wasFaulty) = (loaded, isFaulty)
        loaded = new
        lacks = reloaded.lacks
        isFaulty = false
        let isNews = isAsked || wasFaulty || new.hooks != old.hooks || new.configuration != old.configuration
        guard isNews else { return }
        context.say("configuration reloaded: \(new.summary)")
        useHooks()
        fresh.formUnion(Set(new.hooks).subtracting(old.hooks).filter(\.needsSnapshot).map(\.name))
        rules = (overriding(new.configuration.options), new.configuration.journal)
    }

    /// Passes the hooks of the configuration and those that programs request to the engine.
    func useHooks() {
        // A hook on the session may react at once.
        followPower()
        performer?.take(.reload(all))
    }

    // MARK: Power

    /// Follows the power supply if and only if a hook depends on it. Such hooks wait until it is known.
    private func followPower() {
        guard let performer else { return }
        guard all.contains(where: { $0.power != nil }) else { return power.forget(performer.loop) }
        performer.take(.power(power.now))
        do {
            try power.follow(performer.loop) { [unowned self] old in
                if old != nil, let now = power.now {
                    context.say("hooks: the machine is now on \(now.rawValue)")
                }
                self.performer?.take(.power(power.now))
            }
        } catch {
            let rest = power.isReadable ? "" : "; hooks react as on mains"
            context.say("hooks: cannot detect changes of the power supply: \(error)\(rest)")
            if !power.isReadable { performer.take(.power(.mains)) }
        }
    }
}
