extension SceneTracker {
    /// Returns everything that exists, as it is reported at the start.
    package func present(cause: Cause = .start) -> [Change] {
        stepwise(table.found(cause: cause, at: 0).changes)
    }

    /// Returns when a scene was last active, in nanoseconds; 0 for never.
    package func lastActive(_ window: WindowID) -> Int64 {
        table.scenes.first { $0.window == window && $0.reportedPhase != nil }?.lastActive ?? 0
    }

    /// Returns, for a reader that knows only this table, the subjects that are gone since then, as closed; then those that
    /// exist.
    package func resync(since earlier: SceneTable, at now: Int64) -> [Change] {
        closings(since: earlier, at: now) + present(cause: .resync)
    }

    private func closings(since earlier: SceneTable, at now: Int64) -> [Change] {
        let groups = Dictionary(
            uniqueKeysWithValues: table.reported.map { (table[$0].window, table[$0].reported.group) })
        var (fresh, _) = earlier.found(cause: .resync, at: now)
        var report = Report(at: now)
        for scene in fresh.reported {
            let group = groups[fresh[scene].window]
            if group == fresh[scene].reported.group { continue }
            // If the scene remains under other names, no program has ended.
            fresh[scene].since = earlier[scene].since
            report.add(scene, .none, group == nil ? .resync : .regroup, in: &fresh)
        }
        return stepwise(
            report.changes(of: &fresh).filter {
                $0.level == .scene || table.groups.phase(of: $0.subjectID) == nil
            })
    }
}

extension SceneTable {
    /// Reports everything again, as if it had just been found.
    fileprivate func found(cause: Cause, at now: Int64) -> (table: SceneTable, changes: [Change]) {
        var fresh = self
        fresh.groups = GroupTable()
        for scene in reported { (fresh[scene].reported, fresh[scene].reportedPhase) = (.none, nil) }
        var report = Report(.initial, at: now)
        for scene in reported { report.add(scene, self[scene].reported, cause, in: &fresh) }
        let changes = report.changes(of: &fresh)
        return (fresh, changes)
    }
}
