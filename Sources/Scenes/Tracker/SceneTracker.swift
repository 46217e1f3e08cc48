/// Turns snapshots of a display into the changes to report.
///
/// The caller passes one `Desktop` after the other, each with its time in nanoseconds since an arbitrary fixed moment.
/// The tracker returns the changes that have settled. It sends no requests and reads no clock. An update has three
/// stages: `evaluate` writes the reading of each scene, `settle` finds the changes that have been stable, and `commit`
/// makes them the reported state.
package struct SceneTracker: Sendable {
    /// The result of an update.
    package struct Update: Sendable {
        /// The changes and notices to report, in order. Changes of the kind `facts` follow all others.
        package var events: [Event] = []
        /// When to call again even without new facts; nil if nothing is waiting.
        package var next: Int64?
        /// Whether the caller should read everything again and then call the tracker again.
        package var wantsFullRead = false

        /// Requests an update at that time, unless an earlier one is requested already; nil requests none.
        mutating func wait(until time: Int64?) {
            if let time { next = min(next ?? time, time) }
        }
    }

    package private(set) var policy: PhasePolicy
    package let isStepwise: Bool
    private var delays: Delays
    package private(set) var session: SessionCap
    private(set) var evaluation = Evaluation()
    private var covering = Covering()
    var table = SceneTable()
    private var settler: Settler
    private var handover: ManagerHandover
    /// The occasion for the next update that is not frozen.
    private var occasion = Occasion.start
    /// The scenes whose changes have settled.
    private var ready: [Int32] = []
    /// The reported scenes with a new fact since the last update, such as process, desktop or role.
    private var refreshed: [Int32] = []
    /// nil if title changes are not reported.
    private var titles: TitleSettler?
    /// nil if signs are not recorded.
    private var signs: Set<String>?

    /// - Parameter states: The session states that put every scene in the background.
    package init(
        policy: PhasePolicy = .focus, isStepwise: Bool = false, delays: Delays = Delays(),
        states: Set<SessionState> = Set(SessionState.allCases)
    ) {
        self.policy = policy
        self.isStepwise = isStepwise
        self.delays = delays
        session = SessionCap(states)
        settler = Settler(delays: delays, couplesFocus: policy != .visible)
        handover = ManagerHandover(delays: delays)
    }

    /// Whether title changes are reported. Titles that are known when this is set count as reported.
    package var reportsTitles: Bool {
        get { titles != nil }
        set { if newValue != reportsTitles { titles = newValue ? TitleSettler(table) : nil } }
    }

    /// Whether signs that an application may soon be used are recorded: see `takeSigns`.
    package var reportsSigns: Bool {
        get { signs != nil }
        set { if newValue != reportsSigns { signs = newValue ? [] : nil } }
    }

    /// Changes the policy, the delays and the session states from the next update on, which must not be one after time
    /// alone has passed.
    package mutating func follow(policy: PhasePolicy, delays: Delays, states: Set<SessionState>) {
        session.follow(states)
        guard policy != self.policy || delays != self.delays else { return }
        if occasion != .start && occasion != .uncovering {
            occasion = self.delays.cover != nil && delays.cover == nil ? .uncovering : .options
        }
        self.policy = policy
        self.delays = delays
        table.dropPending()
        settler = Settler(delays: delays, couplesFocus: policy != .visible)
        handover.delays = delays
    }

    /// Updates the tracker with the desktop at `now`. The first call finds everything that exists.
    ///
    /// The desktop is not copied. Unused names are removed from it.
    ///
    /// - Parameter hasRead: Whether anything was read since the last update; otherwise only time has passed.
    package mutating func update(
        to desktop: inout Desktop, hasRead: Bool = true, at now: Int64
    ) -> Update {
        var update = Update()
        evaluate(desktop, hasRead, at: now, &update)
        let certain = settle(desktop, hasRead, at: now, &update)
        commit(certain, desktop, at: now, &update)
        desktop.windows.reclaimNames(keeping: usedNames)
        return update
    }

    /// Returns whether every change with a first sign at `time` or earlier has settled.
    package func hasSettled(since time: Int64) -> Bool {
        !handover.isHolding && !session.isPending
            && !table.scenes.contains { $0.pending.map { $0.firstSign <= time } ?? false }
    }

    /// The names that scenes and groups use and that must be kept.
    private var usedNames: [GroupName] {
        table.groups.names + table.indices.flatMap { [table[$0].read.group, table[$0].reported.group] }
    }

    /// Returns the applications with a window that was read as visible or active since the last call, and is not
    /// reported as such yet.
    package mutating func takeSigns() -> Set<String> {
        defer { if reportsSigns { signs = [] } }
        return signs ?? []
    }
}

/// The first stage: updates the reading of each scene.
extension SceneTracker {
    private mutating func evaluate(_ desktop: Desktop, _ hasRead: Bool, at now: Int64, _ update: inout Update)
    {
        table.freeEnded()
        if hasRead { evaluation.update(&table, to: desktop, under: policy, session.wanted) }
        // Covers that exist at the start have lasted long enough.
        let delay = occasion == .start ? 0 : delays.cover ?? 0
        let isHidden = evaluation.limits.cap == .background
        update.wait(until: covering.update(&table, after: delay, isHidden: isHidden, at: now))
        if reportsSigns && occasion != .start { noteSigns(desktop.windows.names) }
    }

    /// Records the signs among the scenes that are read differently, or among all scenes if the session's cap rises.
    private mutating func noteSigns(_ names: GroupNames) {
        let cap = evaluation.limits.cap
        for scene in cap > table.cap ? table.indices : table.changed {
            let group = table[scene].read.group
            guard let phase = table[scene].read.phase,
                min(phase, cap) > (table[scene].reportedPhase ?? .background),
                // An active application gives no new sign when another of its windows gets the focus.
                table.groups.phase(ofApplication: names.applicationName(of: group)) != .active
            else { continue }
            signs?.insert(names.application(of: group))
        }
    }
}

/// The second stage: finds the changes that have settled.
extension SceneTracker {
    /// The changes that have settled, besides the scenes in `ready`.
    private enum Certain {
        /// Only destroyed windows, because the window manager is being replaced.
        case frozen
        /// All readings, at the end of the replacement.
        case takeover(Notice)
        case settled(SessionCap.Step, Occasion)
    }

    /// Finds the changes that have settled, and puts their scenes into `ready`.
    private mutating func settle(
        _ desktop: Desktop, _ hasRead: Bool, at now: Int64, _ update: inout Update
    ) -> Certain {
        let (notice, hold) = handover.update(to: desktop.screen, table, at: now)
        if let notice { update.events.append(.notice(notice)) }
        switch hold {
        case .none:
            update.wait(until: settleFacts(desktop.windows, hasRead, delays, at: now))
            let step = session.settle(evaluation.limits, occasion == .start ? nil : delays, at: now)
            update.wait(until: step.next)
            update.wait(until: settleScenes(desktop, at: now))
            defer { occasion = .change }
            return .settled(step, occasion)
        case .until(let end):
            findDestroyed(desktop)
            update.wait(until: end)
            update.wantsFullRead = end == nil
            return .frozen
        case .over(let notice):
            findDestroyed(desktop)
            _ = settleFacts(desktop.windows, true, Delays(settle: .zero), at: now)
            // The session continues to settle.
            if evaluation.limits != session.reported { update.wait(until: now) }
            occasion = .change
            return .takeover(notice)
        }
    }

    /// Puts the scenes of destroyed windows into `ready`: nothing else is certain during a handover.
    private mutating func findDestroyed(_ desktop: Desktop) {
        table.dropPending()
        ready = table.indices.filter {
            table[$0].reported.phase != nil && desktop.windows.slot(of: table[$0].window) == nil
        }
    }

    /// Puts the scenes whose changes have settled into `ready`. It is not inlined, as those below, so that
    /// a profile shows it.
    ///
    /// - Returns: When to check the others again.
    @inline(never)
    private mutating func settleScenes(_ desktop: Desktop, at now: Int64) -> Int64? {
        if occasion != .change { table.changed = table.indices }
        if occasion == .start || delays.areNone {
            // Readings are reported immediately. No scene is reported yet at the start, so the cap changes none.
            if occasion == .start { table.cap = session.reported.cap }
            swap(&ready, &table.changed)
            return nil
        }
        for scene in table.changed { settler.compare(&table[scene], at: now) }
        let pending = table.pending
        ready = []
        if pending.isEmpty { return nil }
        let batches = batches(of: pending, desktop)
        ready = batches.filter { $0.due <= now }.flatMap(\.scenes)
        // One cause may change the phase and, a moment later, the facts in its line.
        let facts = ready.compactMap { table.pendingFacts[$0]?.due(delays) }.filter {
            $0 > now && $0 <= now + delays.batch
        }
        .max()
        if let facts {
            ready = []
            return facts
        }
        for scene in ready { (table[scene].pending, table[scene].restored) = (nil, nil) }
        if ready.count == pending.count { return nil }
        // Other changes may have waited for these.
        return ready.isEmpty ? batches.map(\.due).min() : now
    }

    private func batches(of pending: [Int32], _ desktop: Desktop) -> [Settler.Batch] {
        // Nearly all changes are focus moves, which need no grouping.
        if let due = settler.dueAsFocusMove(pending, in: table) {
            return [Settler.Batch(scenes: pending, due: due)]
        }
        // A locker takes the focus before the lock settles: both are one change.
        let circumstances = Settler.Circumstances(
            awaitsFocus: session.awaitsLock || awaitsFocus(on: desktop),
            conclusive: conclusive(among: pending, desktop))
        return settler.batches(of: pending, in: table, desktop.windows, circumstances)
    }

    /// Returns whether a scene that is not visible yet has the focus.
    private func awaitsFocus(on desktop: Desktop) -> Bool {
        if evaluation.activity.isVisible || evaluation.activity.chain.isEmpty { return false }
        var mains: [Int: Int?] = [:]
        return evaluation.activity.chain.windows.contains { xid in
            guard let slot = desktop.windows.slot(of: xid), desktop.isScene(desktop.windows.facts[slot]),
                case let main = desktop.mainSlot(of: slot, known: &mains),
                let scene = table.scene(of: desktop.windows.facts[main].id, at: main),
                table[scene].read.phase != nil
            else { return false }
            // A scene without a pending change is reported as it is read, or is about to be.
            let reported = table[scene].pending == nil ? table[scene].read : table[scene].reported
            return (reported.phase ?? .background) == .background
        }
    }

    /// Returns the scenes whose change need not settle: covers, which count only after their delay; uncovering by new
    /// options; and destroyed windows, unless the application remains and would leave its phase. In that case, its next
    /// window may be about to get the focus.
    private func conclusive(among pending: [Int32], _ desktop: Desktop) -> Set<Int32> {
        var conclusive = Set(
            pending.filter {
                table[$0].read.hiding == .covered
                    || occasion == .uncovering && table[$0].reported.hiding == .covered
            })
        let destroyed = pending.filter {
            table[$0].read.phase == nil && desktop.windows.slot(of: table[$0].window) == nil
        }
        if destroyed.isEmpty { return conclusive }
        // A lower cap is reported before these scenes.
        let cap = min(session.reported.cap, table.cap)
        // A scene that is read but not reported is pending.
        let names = desktop.windows.names
        let coming = pending.filter { table[$0].read.phase != nil }
        let gone = Set(destroyed)
        let places = Set(destroyed.map { table.groups[table[$0].place].application })
        let rests = table.members(of: places).mapValues { members in
            table.phase(of: members.filter { !gone.contains(Int32($0)) })
        }
        let arriving = Set(coming.map { names.applicationName(of: table[$0].read.group) })
        for scene in destroyed {
            let application = table.groups[table[scene].place].application
            let reported = table.groups[application].reported.map { min($0, cap) }
            let rest = rests[application] ?? nil
            let staysSo =
                rest.map { min($0, cap) == reported }
                ?? !arriving.contains(table.groups[application].name)
            if staysSo { conclusive.insert(scene) }
        }
        return conclusive
    }

    /// Updates the facts and titles of all scenes.
    ///
    /// - Returns: When to call again.
    private mutating func settleFacts(
        _ windows: WindowTable, _ hasRead: Bool, _ delays: Delays, at now: Int64
    ) -> Int64? {
        refreshed = []
        if !hasRead && table.pendingFacts.isEmpty { return nil }
        let hasPending = !table.pendingFacts.isEmpty
        for index in table.scenes.indices where table.scenes[index].read.phase != nil {
            let scene = Int32(index)
            if table.hasCurrentFacts(index, windows) && !(hasPending && table.pendingFacts[scene] != nil) {
                continue
            }
            let facts = windows.sceneFacts(Int(table[scene].slot), among: table.tabs)
            let isNew = table.update(scene, facts, delays, at: now)
            if table[scene].reportedPhase == nil { continue }
            if isNew.title { titles?.compare(scene, facts.title, at: now) }
            if isNew.others { refreshed.append(scene) }
        }
        for scene in refreshed { titles?.noteShown(scene, table[scene].facts.title) }
        // The facts of a scene that is gone stay as they are.
        return table.pendingFacts.filter { table[$0.key].read.phase != nil }.map { $0.value.due(delays) }
            .min()
    }
}

/// The third stage: makes the settled changes the reported state.
extension SceneTracker {
    private mutating func commit(
        _ certain: Certain, _ desktop: Desktop, at now: Int64, _ update: inout Update
    ) {
        let names = desktop.windows.names
        var changes: [Change] = []
        switch certain {
        case .frozen: changes = commitReady(.change, names, at: now)
        case .takeover(let notice):
            update.events += stepwise(commitReady(.change, names, at: now)).map(Event.change)
            update.events.append(.notice(notice))
            ready = table.indices
            changes = commitReady(.takeover, names, at: now)
        case .settled(let step, let occasion):
            // A falling cap comes first: a change that it hides is not a separate line.
            let falls = session.reported.cap < table.cap
            if falls { changes = commit(step, desktop, at: now, &update) }
            if occasion == .uncovering { changes += commitUncovered(names, at: now) }
            changes += commitReady(occasion, names, at: now)
            if !falls { changes += commit(step, desktop, at: now, &update) }
        }
        update.events += stepwise(changes).map(Event.change)
        update.events += titleChanges(names, at: now).map(Event.change)
        update.wait(until: titles?.next)
        update.events += factChanges(names).map(Event.change)
    }

    func stepwise(_ changes: [Change]) -> [Change] { isStepwise ? changes.flatMap(\.steps) : changes }

    /// Commits the readings of the ready scenes.
    private mutating func commitReady(_ occasion: Occasion, _ names: GroupNames, at now: Int64) -> [Change] {
        if ready.isEmpty { return [] }
        ready.sort { table[$0].window < table[$1].window }
        var report = Report(names, at: now)
        for scene in ready { report.add(scene, occasion, in: &table) }
        return changes(of: report, occasion == .start ? .initial : .opened)
    }

    /// Commits the ready scenes whose covers no longer count, before the others: nothing else about them has changed.
    private mutating func commitUncovered(_ names: GroupNames, at now: Int64) -> [Change] {
        let certain = ready
        defer { ready = certain }
        ready.removeAll { table[$0].reported.hiding != .covered || table[$0].read.hiding == .covered }
        return commitReady(.uncovering, names, at: now)
    }

    /// Commits a change of the session limits, as one step of all scenes.
    private mutating func commit(
        _ step: SessionCap.Step, _ desktop: Desktop, at now: Int64, _ update: inout Update
    ) -> [Change] {
        if step.isEmpty { return [] }
        let visible = table.indices.count { table[$0].reported.phase.map { $0 != .background } ?? false }
        update.events += step.changes(on: desktop, visibleCount: visible).map { .notice(.session($0)) }
        let cap = session.reported.cap
        if cap == table.cap { return [] }
        var report = Report(desktop.windows.names, at: now)
        report.add(cap: cap, step.cause(rises: cap > table.cap), in: &table)
        return changes(of: report)
    }

    private mutating func changes(of report: consuming Report, _ kind: Change.Kind = .opened) -> [Change] {
        let scenes = report.scenes
        let changes = report.changes(kind, of: &table)
        // The titles in these lines.
        for (scene, from, to) in scenes { titles?.note(scene, from, to, table[scene].facts.title) }
        return changes
    }

    /// Returns the titles that have settled, ordered by window, as all lines are: indices depend on earlier scenes.
    private mutating func titleChanges(_ names: GroupNames, at now: Int64) -> [Change] {
        let due = titles?.takeDue(at: now) ?? []
        return due.sorted { table[$0].window < table[$1].window }.map { scene in
            table.change(of: scene, .title, .title, held: .nanoseconds(now - table[scene].since), names)
        }
    }

    /// Returns the scenes with new facts, each with its group and its application, as changes of the kind `facts`; not
    /// those that were just closed, whose closing lines report their last facts.
    private func factChanges(_ names: GroupNames) -> [Change] {
        let scenes = refreshed.filter { table[$0].reportedPhase != nil }
        if scenes.isEmpty { return [] }
        let places = scenes.map { [table[$0].place, table.groups[table[$0].place].application] }
        let members = table.members(of: Set(places.joined()))
        return zip(scenes, places).flatMap { scene, places in
            [table.change(of: scene, .facts, .desktop, held: nil, names)]
                + places.map { place in
                    var change = table.change(of: place, members[place] ?? [], [], names)
                    (change.from, change.to) = (table.groups[place].reported, table.groups[place].reported)
                    return change
                }
        }
    }
}
