import Console
import Hooks
import System

/// A watch for signs that what is frozen is wanted: calls on the session bus, messages to its windows, what is pending for
/// its processes, and second starts of its programs. `PhaseWatcher` returns the signs that windows themselves show.
final class SignWatch {
    private let context: HookContext
    let calls: BusCalls
    let messages: WindowMessages
    let programs: FrozenPrograms
    /// What is frozen, or about to be.
    private var frozen: Set<String> = []
    /// Receives the signs.
    var report: (HookInput) -> Void = { _ in }

    /// - Parameters:
    ///   - display: The name of the display.
    ///   - memory: Reads the memory of processes.
    ///   - onThread: Throws if no thread can be started.
    init(
        _ context: HookContext, _ loop: EventLoop, _ buses: Buses, display: String, memory: ProcessReadings,
        onThread: @escaping FrozenPrograms.OnThread = SeparateThreads().run
    ) {
        self.context = context
        calls = BusCalls(context, buses)
        messages = WindowMessages(context, loop, buses)
        programs = FrozenPrograms(
            context, loop, display: DisplayFileName(display), memory: memory, onThread: onThread)
        calls.report = { [unowned self] in report($0) }
        messages.report = { [unowned self] in report($0) }
        messages.failed = { [unowned self] in thaw(frozen, because: "\($0)") }
        programs.report = { [unowned self] in report($0) }
        programs.failed = { [unowned self] in thaw($0, because: "\($1)") }
    }

    /// Watches exactly what is held. Call it after each turn.
    ///
    /// - Parameters:
    ///   - held: What stops each application, or is about to.
    ///   - frozen: What is frozen, or about to be.
    func watch(_ held: [String: [Hold]], frozen: Set<String>) {
        self.frozen = frozen
        messages.finishTurn(isAnyFrozen: !frozen.isEmpty)
        calls.watch(held)
        programs.keep(Set(held.keys))
    }

    /// Throws if a sign would be missed, after `BusCalls.whenNoticed` and `WindowMessages.renew`: these applications must not
    /// be frozen then.
    func prepare(for applications: Set<String>) throws {
        try context.checkDescriptors()
        try programs.prepare(for: applications)
        if let failure = messages.failure {
            // Messages to other frozen applications may be lost, too.
            thaw(frozen.subtracting(applications), because: "\(failure)")
            throw failure
        }
    }

    /// Watches applications that were just stopped for second starts and what is pending, after `prepare`.
    func add(_ stopped: [String: StoppedProcesses], at now: Duration = Clock.now()) {
        if stopped.isEmpty { return }
        let areNew = !programs.names.isSuperset(of: stopped.keys)
        programs.add(stopped, at: now)
        do throws(SystemError) {
            // All share the descriptors, and the monitor of the bus.
            try context.checkDescriptors()
            // They may have got further names on the bus until they were stopped.
            if areNew { calls.renew() }
            if let lack = calls.lack { throw .refused(lack) }
        } catch {
            return thaw(Set(stopped.keys), because: "\(error)")
        }
        programs.watchFiles(of: stopped, areNew: areNew)
    }

    /// Thaws applications, since signs that they are wanted may be missed.
    private func thaw(_ applications: Set<String>, because reason: String) {
        if applications.isEmpty { return }
        let areAll = applications.isSuperset(of: programs.names)
        context.say(once: Self.deafness(reason, of: areAll ? [] : applications))
        report(.sign(applications, because: .unwatched))
    }

    /// Returns the line about applications that do not stay frozen; empty for all.
    static func deafness(_ reason: String, of applications: Set<String> = []) -> String {
        let names = applications.sorted().joined(separator: ", ").escapedForTerminal
        let stay = applications.count > 1 ? "do not stay" : "does not stay"
        return "hooks: \(names.isEmpty ? "nothing stays" : "\(names) \(stay)") frozen: \(reason)"
    }
}
