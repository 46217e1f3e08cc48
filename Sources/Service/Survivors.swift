import CLinux
import Hooks
import PhaseWatch
import System

/// The closed applications that hooks concern as long as their processes live: those closed to the tray, for example.
final class Survivors {
    private let loop: EventLoop
    /// For each application the trigger for its end, and the living processes. Each descriptor is readable once its process
    /// has ended.
    private var all: [String: (trigger: HookTrigger, processes: [Descriptor])] = [:]
    /// Receives the trigger of an application whose last process has ended.
    var report: (HookTrigger) -> Void = { _ in }

    init(_ loop: EventLoop) { self.loop = loop }

    /// Follows the processes of an application that closes, or is found closed, and forgets those of one that opens.
    ///
    /// - Returns: The trigger for the engine.
    func follow(_ trigger: HookTrigger, _ hooks: [Hook], _ seen: FirstSeen) -> HookTrigger {
        guard let change = trigger.change, change.level == .application else { return trigger }
        for process in all.removeValue(forKey: change.application)?.processes ?? [] {
            loop.forget(process.number)
        }
        // With the cause `regroup`, the windows have changed their names.
        guard change.to == nil, change.cause != .regroup,
            hooks.contains(where: { $0.lastsClosed && $0.condition.concerns(change) })
        else { return trigger }
        let processes = seen.survivors(of: change.application).compactMap { pid in
            try? Descriptor("pidfd_open", pidfd_open(pid, 0))
        }
        if processes.isEmpty { return trigger }
        for process in processes {
            let number = process.number
            loop.watch(number) { [unowned self] in hasEnded(number, of: change.application) }
        }
        var end = change
        end.kind = .closed
        all[change.application] = (
            HookTrigger(change: end, sequence: trigger.sequence, time: trigger.time), processes
        )
        var survived = trigger
        survived.isSurvived = true
        return survived
    }

    private func hasEnded(_ process: Int32, of application: String) {
        loop.forget(process)
        all[application]?.processes.removeAll { $0.number == process }
        guard let survivor = all[application], survivor.processes.isEmpty else { return }
        all[application] = nil
        report(survivor.trigger)
    }
}
