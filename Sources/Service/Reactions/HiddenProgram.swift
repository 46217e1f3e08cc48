import Console
import Hooks
import PhaseWatch
import System

/// A program that hides its files from its own user, as password managers do: neither a second start of it is seen nor a
/// connection to it, so it is not frozen.
enum HiddenProgram {
    static func reason(_ pid: Int32, _ name: String?) -> String {
        "process \(pid)\(name.map { " (\($0))" } ?? "") hides its files from you, so xphase could not see who calls it"
    }
}

extension Hook {
    /// Returns why some of the present applications are not frozen, with their names.
    public func hiddenPrograms(among changes: [Change]) -> [String] {
        if !builtIns.contains(.freeze) { return [] }
        return changes.filter { $0.level == .application && condition.concerns($0) }.compactMap { change in
            guard case .application(let members) = change.subject,
                let pid = members.pids.first(where: { ProcessFacts(pid: $0)?.isHidden == true })
            else { return nil }
            let reason = HiddenProgram.reason(pid, ProcessTable.row(of: pid)?.name)
            return "\(change.application.escapedForTerminal) is not frozen: \(reason.escapedForTerminal)"
        }
    }
}
