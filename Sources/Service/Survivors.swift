import CLinux
import Hooks
import PhaseWatch
import System

/// The closed applications that hooks concern as long as their processes live: those closed to the tray, for example.
final class Survivors {
    private struct Survivor {
        /// The change that has closed the application.
        let trigger: HookTrigger
        /// The living processes. Each descriptor is readable once its process has ended.
        var processes: [Descriptor]
    }

    private let loop: EventLoop
    private var all: [String: Survivor] = [:]

    init(_ loop: EventLoop) { self.loop = loop }

    /// Follows the processes of an application that closes, and forgets those of one that opens.
    ///
    /// - Returns: The trigger for the engine.
    func follow(_ trigger: HookTrigger, _ hooks: [Hook], _ seen: FirstSeen) -> HookTrigger {
        let change = trigger.change
        if change.level != .application { return trigger }
        for process in all.removeValue(forKey: change.application)?.processes ?? [] {
            loop.forget(process.number)
        }
        // With the cause `regroup`, the windows have changed their names.
        guard change.kind == .closed, change.cause != .regroup,
            hooks.contains(where: { $0.lastsClosed && $0.condition.concerns(change) })
        else { return trigger }
        let processes = seen.survivors(of: change.application).compactMap { pid in
            try? Descriptor("pidfd_open", pidfd_open(pid, 0))
        }
        if processes.isEmpty { return trigger }
        for process in processes { loop.watch(process.number) }
        all[change.application] = Survivor(trigger: trigger, processes: processes)
        var survived = trigger
        survived.isSurvived = true
        return survived
    }

    /// Handles a ready descriptor; returns nil if it is not ours.
    ///
    /// - Returns: The triggers of what has ended.
    func ready(_ descriptor: Int32) -> [HookTrigger]? {
        let entry = all.first { $0.value.processes.contains { $0.number == descriptor } }
        guard let (application, former) = entry else { return nil }
        loop.forget(descriptor)
        var survivor = former
        survivor.processes.removeAll { $0.number == descriptor }
        all[application] = survivor.processes.isEmpty ? nil : survivor
        return survivor.processes.isEmpty ? [survivor.trigger] : []
    }
}
