/// Turns snapshots of a display, each with its time in nanoseconds since a fixed moment, into the changes to report. An
/// update has three stages: `evaluate` writes the judgement of each scene, `settle` finds the changes that have been stable,
/// and `commit` makes them the reported state. It sends no requests and reads no clock.
package struct SceneTracker: Sendable {
    /// The result of an update.
    package struct Update {
        /// The changes and notices to report, in order. Changes of the kind `facts` follow all others.
        package var events: [Event] = []
        /// When to call again even without new facts; nil if nothing is waiting.
        package var next: Int64?
        /// Whether the caller should read everything again and then call the tracker again.
        package var wantsFullRead = false
        /// Whether `activeScene` has changed. No phase may have changed with it.
        package var hasNewFocus = false

        /// Requests an update at that time, unless an earlier one is requested already; nil requests none.
        mutating func wait(until time: Int64?) {
            if let time { next = min(next ?? time, time) }
        }

        mutating func report(_ changes: [Change]) {
            for change in changes { events.append(.change(change)) }
        }
    }

    package private(set) var policy: PhasePolicy
    package let isStepwise: Bool
    /// Whether title changes are reported. Titles that are known when this is set count as reported.
    package var reportsTitles = false {
        didSet {
            if reportsTitles == oldValue { return }
            for scene in table.scenes.indices {
                table.scenes[scene].title =
                    reportsTitles ? table.scenes[scene].facts.title.map { ReportedTitle($0) } : nil
            }
        }
    }
    private var delays: Delays
    private var session: SessionCap
    private var handover: ManagerHandover
    package internal(set) var table = SceneTable()
    /// The limits on the phase of every scene.
    private var limits: Set<SessionLimit> = []
    /// The windows that get the focus as soon as they are visible.
    private var awaited: [UInt32] = []
    private var tabs = Tabs()
    private var iconic = NewlyIconic()
    /// The scene that has the focus.
    private var focused: WindowID?
    private var settledFocus = SettledFocus()
    /// Whether the display was hidden at the last update.
    private var wasHidden = false
    /// The occasion for the next update that is not frozen.
    private var occasion = Occasion.start
    private var signs: Set<String> = []

    package init(
        policy: PhasePolicy = .focus, isStepwise: Bool = false, delays: Delays = Delays(),
        states: Set<SessionState> = Set(SessionState.allCases)
    ) {
        self.policy = policy
        self.isStepwise = isStepwise
        self.delays = delays
        session = SessionCap(states)
        handover = ManagerHandover(delays: delays)
    }

    /// Whether signs that an application may soon be used are recorded: see `takeSigns`.
    package var reportsSigns = false {
        didSet { if !reportsSigns { signs = [] } }
    }

    /// Changes the policy, the delays and the session states from the next update on, which must not be one after time
    /// alone has passed.
    package mutating func follow(policy: PhasePolicy, delays: Delays, states: Set<SessionState>) {
        session.follow(states)
        guard policy != self.policy || delays != self.delays else { return }
        if occasion != .start && occasion != .uncovering {
            occasion = self.delays.cover != nil && delays.cover == nil ? .uncovering : .change
        }
        self.policy = policy
        self.delays = delays
        handover.delays = delays
        table.dropPending()
    }

    /// Updates the tracker with the desktop at `now`: after a read, or because time has passed. The first call finds
    /// everything that exists.
    package mutating func update(to desktop: Desktop, hasRead: Bool = true, at now: Int64) -> Update {
        var update = Update()
        // Iconic windows may have become visible without a read.
        let hasRead = hasRead || iconic.next.map { $0 <= now } ?? false
        evaluate(desktop, hasRead, at: now, &update)
        let (notice, wait) = handover.update(
            to: desktop.screen, table, hasFocus: focused != nil, at: now)
        if let notice { update.events.append(.notice(notice)) }
        var refreshed: [Int] = []
        switch wait {
        case .none:
            refreshed = settleFacts(desktop.windows, hasRead, delays, at: now, &update)
            let waiting = settle(desktop, at: now, &update)
            settleFocus(occasion == .start ? Delays(settle: .zero) : delays, waiting, at: now, &update)
            occasion = .change
        case .until(let end):
            commit(destroyed(desktop), .change, at: now, &update)
            update.wait(until: end)
            update.wantsFullRead = end == nil
        case .over(let notice):
            refreshed = settleFacts(desktop.windows, true, Delays(settle: .zero), at: now, &update)
            commit(destroyed(desktop), .change, at: now, &update)
            update.events.append(.notice(notice))
            commit(table.differing, .takeover, at: now, &update)
            settleFocus(Delays(settle: .zero), [], at: now, &update)
            // The session continues to settle.
            if limits != table.limits { update.wait(until: now) }
            occasion = .change
        }
        update.report(titleChanges(at: now))
        if reportsTitles { update.wait(until: table.scenes.compactMap { $0.title?.next }.min()) }
        update.report(factChanges(of: refreshed))
        return update
    }

    /// The scene with the input focus, whatever the policy and the limits are; nil if there is none.
    package var activeScene: WindowID? { settledFocus.scene }

    func stepwise(_ changes: [Change]) -> [Change] { isStepwise ? changes.flatMap(\.steps) : changes }

    /// Returns whether every change with a first sign at `time` or earlier has settled.
    package func hasSettled(since time: Int64) -> Bool {
        !handover.isUnderWay && !session.isPending
            && !table.scenes.indices.contains { table.scenes[$0].pending?.firstSign ?? .max <= time }
    }

    /// Returns the applications with a window that was judged visible or active since the last call, and is not
    /// reported as such yet.
    package mutating func takeSigns() -> Set<String> {
        defer { signs = [] }
        return signs
    }
}

/// The first stage: updates the judgement of each scene.
extension SceneTracker {
    private mutating func evaluate(_ desktop: Desktop, _ hasRead: Bool, at now: Int64, _ update: inout Update)
    {
        table.freeEnded()
        if hasRead {
            iconic.update(to: desktop, isStart: occasion == .start, at: now)
            let rule = Rule(desktop, policy, iconic: iconic.windows)
            limits = session.limits(on: desktop, table.limits)
            awaited = rule.isFocusVisible ? [] : rule.focus.windows
            tabs = rule.tabs
            focused = rule.focusedScene
            table.take(rule)
        }
        update.wait(until: iconic.next)
        // Covers that exist at the start have lasted long enough.
        let delay = occasion == .start ? 0 : delays.cover ?? 0
        let isHidden = limits.cap == .background
        for scene in table.scenes.indices where table.scenes[scene].evaluated.evaluation.isCovered {
            update.wait(
                until: table.scenes[scene].settleCover(
                    after: delay, isHidden: isHidden, wasHidden: wasHidden, at: now))
        }
        wasHidden = isHidden
        if reportsSigns && occasion != .start { noteSigns() }
    }

    /// Records the signs among the scenes that are judged anew, or among all scenes if the session's cap rises.
    private mutating func noteSigns() {
        let cap = limits.cap
        let isRising = cap > table.limits.cap
        for scene in table.scenes.indices where table.scenes[scene].hasChanged || isRising {
            let judged = table.scenes[scene].judged
            let reported = table.scenes[scene].reported?.phase ?? .background
            let application = judged.group.application
            guard let phase = judged.phase, min(phase, cap) > reported,
                // An active application gives no new sign when another of its windows gets the focus.
                table.groups.phase(of: SubjectID(application: application)) != .active
            else { continue }
            signs.insert(application)
        }
    }
}

/// The second stage: finds the changes that have settled.
extension SceneTracker {
    /// Updates the facts and titles of all scenes. Returns the reported scenes with a new fact other than the title.
    private mutating func settleFacts(
        _ windows: WindowTable, _ hasRead: Bool, _ delays: Delays, at now: Int64, _ update: inout Update
    ) -> [Int] {
        var refreshed: [Int] = []
        for index in table.scenes.indices where table.scenes[index].judged.phase != nil {
            if table.scenes[index].pendingFacts?.firstSign != nil
                || hasRead && !table.hasFacts(index, of: windows, tabs)
            {
                let facts = windows.sceneFacts(table.scenes[index].slot, among: tabs)
                let isNew = table.scenes[index].update(facts, delays, at: now)
                table.scenes[index].text = windows.texts[table.scenes[index].slot]
                if isNew && table.scenes[index].reported != nil { refreshed.append(index) }
                update.wait(until: table.scenes[index].factsDue(delays))
            }
            if reportsTitles && table.scenes[index].reported != nil {
                table.scenes[index].compareTitle(isShown: refreshed.last == index, at: now)
            }
        }
        return refreshed
    }

    /// Returns the scenes of destroyed windows: nothing else is certain during a handover.
    private mutating func destroyed(_ desktop: Desktop) -> [Int] {
        table.dropPending()
        return table.reported.filter { desktop.windows.slot(of: table.scenes[$0].window) == nil }
    }

    /// Settles the focus, after the phases: a window that is shown and gets the focus is one change.
    ///
    /// - Parameter waiting: The scenes whose changes have not settled.
    private mutating func settleFocus(
        _ delays: Delays, _ waiting: [Int], at now: Int64, _ update: inout Update
    ) {
        let former = settledFocus.scene
        var isHeld = false
        for scene in waiting {
            let window = table.scenes[scene].facts.id
            isHeld = isHeld || window == focused || window == former
        }
        update.wait(until: settledFocus.update(to: focused, delays, isHeld: isHeld, at: now))
        update.hasNewFocus = settledFocus.scene != former
    }

    /// Settles the session and the scenes, and reports their changes. Returns the scenes whose changes have not settled.
    private mutating func settle(_ desktop: Desktop, at now: Int64, _ update: inout Update) -> [Int] {
        let change = session.settle(limits, table.limits, occasion == .start ? nil : delays, at: now)
        update.wait(until: change.next)
        // No scene is reported yet at the start, so the limits change none.
        if occasion == .start { table.limits = change.limits }
        let (ready, waiting, next) = settleScenes(desktop, change.limits.cap, at: now)
        update.wait(until: next)
        // A falling cap comes first: a change that it hides is not a separate line.
        let falls = change.limits.cap < table.limits.cap
        let start = update.events.count
        if falls { commit(change, desktop, at: now, &update, noticesAt: start) }
        commit(ready, occasion, at: now, &update)
        if !falls { commit(change, desktop, at: now, &update, noticesAt: start) }
        return waiting
    }

    /// Returns the scenes whose changes have settled, the others, and when to check these again.
    ///
    /// - Parameter cap: The greatest phase that the settled limits of the session allow.
    private mutating func settleScenes(
        _ desktop: Desktop, _ cap: ScenePhase, at now: Int64
    ) -> (ready: [Int], waiting: [Int], next: Int64?) {
        if occasion == .start || delays.latest == 0 { return (table.differing, [], nil) }
        var pending: [Int] = []
        for scene in table.scenes.indices where table.scenes[scene].mayDiffer {
            if table.scenes[scene].compare(delays, at: now) { pending.append(scene) }
        }
        if pending.isEmpty { return ([], [], nil) }
        pending = table.sorted(pending)
        let batches = settler(for: pending, desktop, cap).batches(of: pending, in: table.scenes)
        let ready = batches.filter { $0.due <= now }.flatMap(\.scenes)
        if let due = nextFactsDue(of: ready, at: now) { return ([], pending, due) }
        for scene in ready { table.scenes[scene].pending = nil }
        let waiting = batches.filter { $0.due > now }.flatMap(\.scenes)
        if waiting.isEmpty { return (ready, [], nil) }
        // Other changes may have waited for the ready ones.
        return (ready, waiting, ready.isEmpty ? batches.map(\.due).min() : now)
    }

    private func settler(for pending: [Int], _ desktop: Desktop, _ cap: ScenePhase) -> Settler {
        // In GNOME Shell's overview, a window is listed up to 0.4 s before it is mapped, with the state Normal; a window
        // that starts iconic does not have this state.
        var unfinished: Set<Int> = []
        for scene in pending
        where table.scenes[scene].reported == nil && table.scenes[scene].judged.hiding == .unmap
            && desktop.windows.facts[table.scenes[scene].slot].state == .normal
        {
            unfinished.insert(scene)
        }
        return Settler(
            delays: delays, couplesFocus: policy != .visible,
            // A locker takes the focus before the lock settles: both are one change.
            awaitsFocus: awaitsFocus(on: desktop) || session.awaitsLock(table.limits),
            conclusive: conclusive(among: pending, desktop, cap), bereft: bereft(among: pending, desktop),
            unfinished: unfinished)
    }

    /// Returns when the last facts of scenes settle that do so within the time of a batch; nil if there are none. One cause
    /// may change the phase and, a moment later, the facts in its line.
    private func nextFactsDue(of scenes: [Int], at now: Int64) -> Int64? {
        var last: Int64?
        // A closure would copy the tracker, as in `settler`.
        for scene in scenes {
            guard let due = table.scenes[scene].factsDue(delays), now < due, due <= now + delays.batch else {
                continue
            }
            last = max(last ?? due, due)
        }
        return last
    }

    /// Returns whether a scene that is not visible yet has the focus.
    private func awaitsFocus(on desktop: Desktop) -> Bool {
        awaited.contains { xid in
            guard let slot = desktop.windows.slot(of: xid) else { return false }
            let window = desktop.windows.facts[slot].id
            let scene = table.scenes.first { $0.window == window && $0.judged.phase != nil }
            return scene.map { ($0.reported?.phase ?? .background) == .background } ?? false
        }
    }

    /// Returns the scenes of destroyed windows that had the focus, unless no window can get it, or the ID of the window
    /// belongs to another one.
    private func bereft(among pending: [Int], _ desktop: Desktop) -> Set<Int> {
        let destroyed = pending.filter {
            table.scenes[$0].reported?.phase == .active && table.scenes[$0].judged.phase == nil
                && desktop.windows.slot(of: table.scenes[$0].window.xid) == nil
        }
        if destroyed.isEmpty || policy == .visible { return [] }
        let gone = Set(destroyed)
        let others = table.scenes.indices.filter { !gone.contains($0) }
        // A dialog of another application was active together with the window that it is for.
        if others.contains(where: { table.scenes[$0].reported?.phase == .active }) { return [] }
        let canFollow = others.contains { table.scenes[$0].judged.phase ?? .background > .background }
        return canFollow ? gone : []
    }

    /// Returns the scenes whose change need not settle: covers, which count only after their delay; uncovering by new
    /// options; and destroyed windows, unless their application would leave its phase: then its next window may be about
    /// to get the focus.
    private func conclusive(among pending: [Int], _ desktop: Desktop, _ cap: ScenePhase) -> Set<Int> {
        let covers = pending.filter {
            table.scenes[$0].judged.hiding == .covered
                || occasion == .uncovering && table.scenes[$0].reported.judgement.hiding == .covered
        }
        let destroyed = pending.filter {
            table.scenes[$0].judged.phase == nil && desktop.windows.slot(of: table.scenes[$0].window) == nil
        }
        return Set(covers).union(destroyed.isEmpty ? [] : conclusive(destroyed, among: pending, cap))
    }

    /// Returns the destroyed scenes whose end need not settle.
    private func conclusive(_ destroyed: [Int], among pending: [Int], _ cap: ScenePhase) -> [Int] {
        let applications = destroyed.map {
            table.scenes[$0].reported.map { table.groups[$0.group].application }
        }
        let members = Members(of: applications.compactMap(\.self), in: table)
        // A scene that is there but not reported is pending.
        let coming = pending.filter { table.scenes[$0].judged.phase != nil }
        let arriving = Set(coming.map { table.scenes[$0].judged.group.application })
        let successors = Dictionary(
            coming.map { (table.scenes[$0].window.xid, table.scenes[$0].judged.group.application) }
        ) {
            $1
        }
        let gone = Set(destroyed)
        // A lower cap is reported before these scenes. Under a higher one, no reported phase exceeds the old one.
        return zip(destroyed, applications).compactMap { scene, application in
            guard let application else { return nil }
            let name = table.groups[application].id.application
            // Another application has the ID: the close precedes the open.
            if let successor = successors[table.scenes[scene].window.xid], successor != name { return scene }
            let rest = table.phase(of: members[application].filter { !gone.contains($0) })
            guard let rest else { return arriving.contains(name) ? nil : scene }
            return min(rest, cap) == table.groups[application].reported.map { min($0, cap) } ? scene : nil
        }
    }
}

/// The third stage: makes the settled changes the reported state.
extension SceneTracker {
    private mutating func commit(
        _ scenes: [Int], _ occasion: Occasion, at now: Int64, _ update: inout Update
    ) {
        if scenes.isEmpty { return }
        var commit = Commit(occasion == .start ? .initial : .opened, at: now)
        for scene in table.sorted(scenes) { commit.add(scene, occasion, in: &table) }
        let changes = commit.changes(of: &table)
        update.report(stepwise(changes))
    }

    /// Commits a change of the session limits, as one step of all scenes. Its notices precede all changes of the update.
    private mutating func commit(
        _ change: SessionCap.LimitChange, _ desktop: Desktop, at now: Int64, _ update: inout Update,
        noticesAt start: Int
    ) {
        if change.isEmpty { return }
        let visible = table.scenes.count { $0.reported.judgement.phase ?? .background != .background }
        let notices = change.changes(on: desktop, visibleCount: visible)
        update.events.insert(contentsOf: notices.map { .notice(.session($0)) }, at: start)
        let old = table.limits.cap
        let new = change.limits.cap
        var commit = Commit(at: now)
        commit.add(change.limits, change.cause(rises: new > old, on: desktop), in: &table)
        let changes = commit.changes(of: &table)
        update.report(stepwise(changes))
    }

    /// Returns the titles that have settled, ordered by window, as all lines are.
    private mutating func titleChanges(at now: Int64) -> [Change] {
        if !reportsTitles { return [] }
        let due = table.scenes.indices.filter { table.scenes[$0].title?.takeDue(at: now) ?? false }
        return table.sorted(due).map { scene in
            let held = table.scenes[scene].reported.map { Duration.nanoseconds(now - $0.since) }
            return table.change(of: scene, .title, .title, held: held)
        }
    }

    /// Returns scenes with new facts, each with its group and its application, as changes of the kind `facts`.
    private func factChanges(of scenes: [Int]) -> [Change] {
        if scenes.isEmpty { return [] }
        let groups = scenes.map { scene in
            table.scenes[scene].reported.map { [$0.group, table.groups[$0.group].application] } ?? []
        }
        let members = Members(of: Array(groups.joined()), in: table)
        return zip(scenes, groups).flatMap { scene, groups in
            [table.change(of: scene, .facts, .desktop, held: nil)]
                + groups.map { table.change(of: $0, members[$0]) }
        }
    }
}
