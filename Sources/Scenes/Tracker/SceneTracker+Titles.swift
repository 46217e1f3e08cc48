/// Titles that changed, told as lines of their own.
extension SceneTracker {
    /// Adds the titles that have settled. That with which a window opens is part of its first line; those that change with a
    /// phase are told all the same, since whoever reads titles need not read the phases of scenes.
    mutating func tellTitles(_ update: inout Update, _ names: GroupNames, at now: Int64) {
        for delta in deltas where delta.level == .scene {
            if delta.to == nil {
                titles.forget(delta.subject)
            } else if delta.from == nil {
                titles.markTold(delta.subject, table.titles[Int(delta.subject)])
            } else {
                titles.noteShown(delta.subject, table.titles[Int(delta.subject)])
            }
        }
        for scene in refreshed { titles.noteShown(scene, table.titles[Int(scene)]) }
        for scene in retitled { titles.compare(scene, table.titles[Int(scene)], at: now) }
        // By window as all lines are: an index depends on what there was before.
        let due = titles.takeDue(at: now).sorted { table[$0].window < table[$1].window }
        let lines = due.map { scene in
            let phase = table[scene].toldPhase
            return Delta(
                level: .scene, kind: .title, from: phase, to: phase, cause: .title, subject: scene,
                nanoseconds: now - table[scene].since, name: table[scene].told.group)
        }
        if !lines.isEmpty { update.batch.append(lines, table, names) }
        update.wait(until: titles.next)
    }
}
