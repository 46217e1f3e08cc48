/// A copy of all that was told up to a moment, for a reader that fell behind then.
package struct ToldState: Sendable {
    let table: SceneTable
    let names: GroupNames
}

extension SceneTracker {
    /// What is told now.
    package func told(_ names: GroupNames) -> ToldState { ToldState(table: table, names: names) }

    /// Everything there is, as it is told at the start.
    package func present(_ names: GroupNames, cause: Cause = .start) -> ChangeBatch {
        told(names).found(cause: cause, isStepwise: isStepwise, at: 0).batch
    }

    /// Everything there is, for a reader to whom lines were lost.
    ///
    /// - Parameter earlier: What was told when the last line reached that reader: what is gone since is told as closed.
    /// - Returns: What is gone, and what is there.
    package func resync(since earlier: ToldState, _ names: GroupNames, at now: Int64) -> [ChangeBatch] {
        [closings(since: earlier, names, at: now), present(names, cause: .resync)].filter { !$0.isEmpty }
    }

    private func closings(since earlier: ToldState, _ names: GroupNames, at now: Int64) -> ChangeBatch {
        var groups: [WindowID: SubjectID] = [:]
        for scene in table.told { groups[table[scene].window] = names.group(table[scene].told.group) }
        let known = Set(groups.values.flatMap { [$0, SubjectID(application: $0.application)] })
        var (table, _) = earlier.found(cause: .resync, isStepwise: isStepwise, at: now)
        var lines = Commit()
        for scene in table.told {
            let group = groups[table[scene].window]
            if group == earlier.names.group(table[scene].told.group) { continue }
            // It lives on under other names: no program has ended.
            lines.add(
                scene, .none, group == nil ? .resync : .regroup, now - earlier.table[scene].since, in: &table,
                earlier.names, at: now)
        }
        var deltas: [Delta] = []
        lines.tell(of: &table, at: now, in: &deltas)
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

extension ToldState {
    /// Tells everything anew, as if it were found now.
    fileprivate func found(cause: Cause, isStepwise: Bool, at now: Int64) -> (
        table: SceneTable, batch: ChangeBatch
    ) {
        var fresh = table
        fresh.groups = GroupTable()
        for scene in table.told { (fresh[scene].told, fresh[scene].toldPhase) = (.none, nil) }
        var lines = Commit()
        for scene in table.told {
            lines.add(scene, table[scene].told, cause, nil, in: &fresh, names, at: now)
        }
        var deltas: [Delta] = []
        lines.tell(.initial, of: &fresh, at: now, in: &deltas)
        var batch = ChangeBatch()
        batch.append(isStepwise ? deltas.flatMap(\.steps) : deltas, fresh, names)
        return (fresh, batch)
    }
}

extension SceneTable {
    /// The scenes that are told, in the order of their windows.
    fileprivate var told: [Int32] {
        indices.filter { self[$0].told.phase != nil }.sorted { self[$0].window < self[$1].window }
    }
}

extension GroupNames {
    fileprivate func group(_ name: GroupName) -> SubjectID {
        SubjectID(application: application(of: name), group: group(of: name))
    }
}
