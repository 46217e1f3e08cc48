extension SceneTracker {
    /// Returns everything that exists, as it is reported at the start.
    package func present(cause: Cause = .start) -> [Change] {
        stepwise(table.found(cause: cause, at: 0).changes)
    }

    /// Returns a scene as it is reported at the start; nil if it is not reported.
    package func present(_ window: WindowID) -> Change? {
        let scene = table.scenes.firstIndex { $0.window == window && $0.reported != nil }
        guard var change = scene.map({ table.change(of: $0, .initial, .start, held: nil) }) else {
            return nil
        }
        change.from = nil
        return change
    }

    /// Returns, for a reader that knows only this table, the subjects that are gone since then, as closed; then those that
    /// exist.
    package func resync(since earlier: SceneTable, at now: Int64) -> [Change] {
        closings(since: earlier, at: now) + present(cause: .resync)
    }

    private func closings(since earlier: SceneTable, at now: Int64) -> [Change] {
        let groups = Dictionary(
            uniqueKeysWithValues: table.reported.map {
                (table.scenes[$0].window, table.scenes[$0].reported.judgement.group)
            })
        var fresh = earlier.found(cause: .resync, at: now).table
        var commit = Commit(at: now)
        for scene in fresh.reported {
            let group = groups[fresh.scenes[scene].window]
            if group == fresh.scenes[scene].reported.judgement.group { continue }
            // If the scene remains under other names, no program has ended.
            if let since = earlier.scenes[scene].reported?.since {
                fresh.scenes[scene].reported?.since = since
            }
            commit.add(scene, .none, group == nil ? .resync : .regroup, in: &fresh)
        }
        return stepwise(
            commit.changes(of: &fresh).filter {
                $0.level == .scene || table.groups.phase(of: $0.subjectID) == nil
            })
    }
}

extension SceneTable {
    /// Reports everything again, as if it had just been found.
    fileprivate func found(cause: Cause, at now: Int64) -> (table: SceneTable, changes: [Change]) {
        var fresh = self
        fresh.groups = GroupTable()
        for scene in reported { fresh.scenes[scene].reported = nil }
        var commit = Commit(.initial, at: now)
        for scene in reported { commit.add(scene, scenes[scene].reported.judgement, cause, in: &fresh) }
        let changes = commit.changes(of: &fresh)
        return (fresh, changes)
    }
}
