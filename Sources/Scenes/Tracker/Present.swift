/// A copy of the reported state at the moment when a reader fell behind.
package struct ReportedState: Sendable {
    let table: SceneTable
}

extension SceneTracker {
    /// Returns a copy of the reported state.
    package var reported: ReportedState { ReportedState(table: table) }

    /// Returns everything that exists, as it is reported at the start.
    package func present(cause: Cause = .start) -> [Change] {
        stepwise(reported.found(cause: cause, at: 0).changes)
    }

    /// Returns when a scene was last active, in nanoseconds; 0 for never.
    package func lastActive(_ window: WindowID) -> Int64 {
        table.scenes.first { $0.window == window && $0.reportedPhase != nil }?.lastActive ?? 0
    }

    /// Returns everything that exists, for a reader that lost lines.
    ///
    /// - Parameter earlier: The reported state when the last line reached that reader.
    /// - Returns: The subjects that are gone since then, as closed; then those that exist.
    package func resync(since earlier: ReportedState, at now: Int64) -> [Change] {
        closings(since: earlier, at: now) + present(cause: .resync)
    }

    private func closings(since earlier: ReportedState, at now: Int64) -> [Change] {
        var groups: [WindowID: GroupName] = [:]
        for scene in table.reported { groups[table[scene].window] = table[scene].reported.group }
        let known = Set(
            groups.values.flatMap {
                [
                    SubjectID(application: $0.application, group: $0.group),
                    SubjectID(application: $0.application),
                ]
            })
        var (table, _) = earlier.found(cause: .resync, at: now)
        var report = Report(at: now)
        for scene in table.reported {
            let group = groups[table[scene].window]
            if group == table[scene].reported.group { continue }
            // If the scene remains under other names, no program has ended.
            report.add(
                scene, .none, group == nil ? .resync : .regroup, now - earlier.table[scene].since, in: &table)
        }
        return stepwise(
            report.changes(of: &table).filter { $0.level == .scene || !known.contains($0.subjectID) })
    }
}

extension ReportedState {
    /// Reports everything again, as if it had just been found.
    fileprivate func found(cause: Cause, at now: Int64) -> (table: SceneTable, changes: [Change]) {
        var fresh = table
        fresh.groups = GroupTable()
        for scene in table.reported { (fresh[scene].reported, fresh[scene].reportedPhase) = (.none, nil) }
        var report = Report(at: now)
        for scene in table.reported { report.add(scene, table[scene].reported, cause, nil, in: &fresh) }
        let changes = report.changes(.initial, of: &fresh)
        return (fresh, changes)
    }
}
