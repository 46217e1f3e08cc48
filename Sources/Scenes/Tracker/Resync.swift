/// A copy of the reported state at the moment when a reader fell behind.
package struct ReportedState: Sendable {
    let table: SceneTable
    let names: GroupNames
}

extension SceneTracker {
    /// Returns a copy of the reported state.
    package func reported(_ names: GroupNames) -> ReportedState { ReportedState(table: table, names: names) }

    /// Returns everything that exists, as it is reported at the start.
    package func present(_ names: GroupNames, cause: Cause = .start) -> ChangeBatch {
        reported(names).found(cause: cause, isStepwise: isStepwise, at: 0).batch
    }

    /// Returns everything that exists, for a reader that lost lines.
    ///
    /// - Parameter earlier: The reported state when the last line reached that reader. Subjects that are gone since
    ///   then are reported as closed.
    /// - Returns: The subjects that are gone, then those that exist.
    package func resync(since earlier: ReportedState, _ names: GroupNames, at now: Int64) -> [ChangeBatch] {
        [closings(since: earlier, names, at: now), present(names, cause: .resync)].filter { !$0.isEmpty }
    }

    private func closings(since earlier: ReportedState, _ names: GroupNames, at now: Int64) -> ChangeBatch {
        var groups: [WindowID: SubjectID] = [:]
        for scene in table.reported { groups[table[scene].window] = names.group(table[scene].reported.group) }
        let known = Set(groups.values.flatMap { [$0, SubjectID(application: $0.application)] })
        var (table, _) = earlier.found(cause: .resync, isStepwise: isStepwise, at: now)
        var lines = Commit()
        for scene in table.reported {
            let group = groups[table[scene].window]
            if group == earlier.names.group(table[scene].reported.group) { continue }
            // If the scene remains under other names, no program has ended.
            lines.add(
                scene, .none, group == nil ? .resync : .regroup, now - earlier.table[scene].since, in: &table,
                earlier.names, at: now)
        }
        var deltas: [Delta] = []
        lines.report(of: &table, at: now, in: &deltas)
        deltas = deltas.filter { line in
            let group = earlier.names.group(line.name)
            return switch line.level {
            case .group: !known.contains(group)
            case .application: !known.contains(SubjectID(application: group.application))
            case .scene, nil: true
            }
        }
        var batch = ChangeBatch()
        batch.append(isStepwise ? deltas.flatMap(\.steps) : deltas, table, earlier.names)
        return batch
    }
}

extension ReportedState {
    /// Reports everything again, as if it had just been found.
    fileprivate func found(cause: Cause, isStepwise: Bool, at now: Int64) -> (
        table: SceneTable, batch: ChangeBatch
    ) {
        var fresh = table
        fresh.groups = GroupTable()
        for scene in table.reported { (fresh[scene].reported, fresh[scene].reportedPhase) = (.none, nil) }
        var lines = Commit()
        for scene in table.reported {
            lines.add(scene, table[scene].reported, cause, nil, in: &fresh, names, at: now)
        }
        var deltas: [Delta] = []
        lines.report(.initial, of: &fresh, at: now, in: &deltas)
        var batch = ChangeBatch()
        batch.append(isStepwise ? deltas.flatMap(\.steps) : deltas, fresh, names)
        return (fresh, batch)
    }
}

extension SceneTable {
    /// The scenes that are reported, in the order of their windows.
    fileprivate var reported: [Int32] {
        indices.filter { self[$0].reported.phase != nil }.sorted { self[$0].window < self[$1].window }
    }
}

extension GroupNames {
    fileprivate func group(_ name: GroupName) -> SubjectID {
        SubjectID(application: application(of: name), group: group(of: name))
    }
}
