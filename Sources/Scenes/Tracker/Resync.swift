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
        var windows: [WindowID: [String]] = [:]
        var subjects: Set<[String]> = []
        for scene in table.indices where table[scene].told.phase != nil {
            let name = table[scene].told.group
            let pair = [names.application(of: name), names.group(of: name)]
            windows[table[scene].window] = pair
            subjects.insert(pair)
            subjects.insert([pair[0]])
        }
        var (table, _) = earlier.found(cause: .resync, isStepwise: isStepwise, at: now)
        var lines = Commit()
        for scene in table.sorted where table[scene].told.phase != nil {
            let name = table[scene].told.group
            let pair = [earlier.names.application(of: name), earlier.names.group(of: name)]
            let known = windows[table[scene].window]
            if known == pair { continue }
            // It lives on under other names: no program has ended.
            lines.add(
                scene, .none, known == nil ? .resync : .regroup, now - earlier.table[scene].since, in: &table,
                earlier.names, at: now)
        }
        var deltas: [Delta] = []
        lines.tell(of: &table, at: now, in: &deltas)
        deltas.removeAll { line in
            let application = earlier.names.application(of: line.name)
            return switch line.level {
            case .group: subjects.contains([application, earlier.names.group(of: line.name)])
            case .application: subjects.contains([application])
            case .scene, nil: false
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
        var fresh = table.untold
        var lines = Commit()
        for scene in table.sorted where table[scene].told.phase != nil {
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
    /// The scenes in the order of their windows.
    fileprivate var sorted: [Int32] { indices.sorted { self[$0].window < self[$1].window } }

    /// The same scenes, none of them told.
    fileprivate var untold: SceneTable {
        var table = self
        table.groups = GroupTable()
        for scene in indices {
            table[scene].told = .none
            table[scene].toldPhase = nil
        }
        return table
    }
}
