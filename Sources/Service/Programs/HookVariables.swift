import Console
import Hooks
import PhaseWatch
import System

extension HookTrigger {
    /// Returns the event of its line, with these processes only.
    func event(naming pids: [Int32]) -> Event {
        switch occasion {
        case .change(let change): .change(change.naming(pids))
        case .session: occasion.event
        }
    }
}

extension Change {
    /// Returns the change with these processes only: a window can name any process.
    fileprivate func naming(_ pids: [Int32]) -> Change {
        var change = self
        switch subject {
        case .scene(var facts):
            facts.pid = facts.pid.flatMap { pids.contains($0) ? $0 : nil }
            change.subject = .scene(facts)
        case .group(var members):
            members.pids = pids
            change.subject = .group(members)
        case .application(var members):
            members.pids = pids
            change.subject = .application(members)
        }
        return change
    }
}

/// The environment variables of a hook. Unknown values are empty, so that scripts can rely on every name.
struct HookVariables {
    /// The processes of a job's scenes that hooks may see.
    struct Processes: Hashable {
        var pids: [Int32] = []
        /// The systemd unit, if all are in the same one.
        var unit: String?
    }

    /// - Parameter base: The variables of this process, each NAME=VALUE.
    static func inherited(_ base: [SystemString], display: String?) -> [SystemString] {
        // With this variable, a hook could notify the service manager on behalf of this process.
        let dropped = ["XPHASE_", "\(ServiceManager.variable)="] + (display == nil ? [] : ["DISPLAY="])
        let kept = base.filter { variable in !dropped.contains { variable.hasPrefix($0) } }
        return kept + (display.map { [SystemString("DISPLAY=" + $0)] } ?? [])
    }

    static func variables(for job: Job, _ processes: Processes) -> [SystemString] {
        var values: [EventField: String] = [:]
        job.trigger.occasion.event
            .forEachField(sequence: job.trigger.sequence, time: job.trigger.time) { values[$0] = $1.text }
        // Empty if there are several.
        values[.pid] = processes.pids.count == 1 ? "\(processes.pids[0])" : nil
        values[.pids] = processes.pids.map { String($0) }.joined(separator: " ")
        let unused: Set<EventField> = [.v, .scenes, .notice, .text]
        let fields = EventField.allCases.filter { !unused.contains($0) }
            .map { ($0.rawValue.uppercased(), values[$0] ?? "") }
        let all =
            [
                ("HOOK", job.hook.name), ("UNIT", processes.unit ?? ""),
                ("SESSION", job.trigger.session?.limit.rawValue ?? ""),
            ] + fields
        // Control characters are escaped as on a terminal. The JSON line contains the original values.
        return all.map { "XPHASE_\($0)=\($1.escapedForTerminal)" }
    }
}

extension HookVariables.Processes {
    /// Keeps the processes that are alive.
    init(ofLiving processes: [ProcessIdentity]) {
        self.init(of: processes.filter(\.isAlive).compactMap { ProcessFacts(pid: $0.pid) })
    }

    init(of facts: [ProcessFacts]) {
        let units = Set(facts.map(\.unit))
        self.init(
            pids: facts.map(\.identity.pid), unit: units.count == 1 ? units.first.flatMap(\.self) : nil)
    }
}
