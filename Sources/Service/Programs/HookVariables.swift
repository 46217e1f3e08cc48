import Console
import Hooks
import PhaseWatch
import System

extension Change {
    /// Returns the change with these processes only: a window can name any process.
    func naming(_ pids: [Int32]) -> Change {
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

    private static let prefix = "XPHASE_"

    /// - Parameter base: The variables of this process, each NAME=VALUE.
    static func inherited(_ base: [SystemString], display: String?) -> [SystemString] {
        // With this variable, a hook could notify the service manager on behalf of this process.
        let dropped = [prefix, "\(ServiceManager.variable)="] + (display == nil ? [] : ["DISPLAY="])
        let kept = base.filter { variable in !dropped.contains { variable.hasPrefix($0) } }
        return kept + (display.map { [SystemString("DISPLAY=" + $0)] } ?? [])
    }

    static func variables(for job: Job, _ processes: Processes) -> [SystemString] {
        let change = job.trigger.change
        let scene = change.scene
        let values: [(String, String?)] = [
            ("XPHASE_HOOK=", job.hook.name),
            ("XPHASE_KIND=", change.level.rawValue),
            ("XPHASE_CHANGE=", change.kind.rawValue),
            ("XPHASE_APPLICATION=", change.application),
            ("XPHASE_GROUP=", change.group),
            ("XPHASE_SCENE=", scene?.id.description),
            ("XPHASE_FROM=", change.from?.rawValue),
            ("XPHASE_TO=", change.to?.rawValue),
            ("XPHASE_CAUSE=", change.cause.rawValue),
            ("XPHASE_HELD=", change.held.map(TimeText.seconds)),
            ("XPHASE_TITLE=", scene?.title),
            // Empty if there are several.
            ("XPHASE_PID=", processes.pids.count == 1 ? String(processes.pids[0]) : nil),
            ("XPHASE_PIDS=", processes.pids.map { String($0) }.joined(separator: " ")),
            ("XPHASE_UNIT=", processes.unit),
            ("XPHASE_DESKTOP=", scene?.desktop.map { String($0) }),
            ("XPHASE_MONITOR=", scene?.monitor),
            ("XPHASE_DESKTOP_NAME=", scene?.desktopName),
            ("XPHASE_EXTENT=", scene?.extent?.rawValue),
            ("XPHASE_ROLE=", scene?.role),
            ("XPHASE_SEQ=", job.trigger.sequence.map { String($0) }),
            ("XPHASE_TIME=", TimeText.utc(job.trigger.time)),
        ]
        // Control characters are escaped as on a terminal. The JSON line contains the original values.
        return values.map { SystemString($0 + ($1?.escapedForTerminal ?? "")) }
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
