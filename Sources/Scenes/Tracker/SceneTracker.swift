/// Turns what is seen on a display into the changes that are worth telling.
///
/// It takes one `Desktop` after the other with the time of each, in nanoseconds since any fixed moment, and returns what
/// has become certain. It asks nobody and keeps no clock. An update has three stages: `evaluate` writes what is read of each
/// scene, `settle` finds what has held still, and `commit` makes that what is told.
package struct SceneTracker: Sendable {
    /// What an update brought.
    package struct Update: Sendable {
        /// What is told, in its order.
        package var batch = ChangeBatch()
        /// When to call again though nothing was seen; nil when there is nothing to wait for.
        package var next: Int64?
        /// Everything should be read anew, and the tracker called again with it.
        package var wantsFullRead = false

        /// Asks for an update at that time, if none is asked for before; nil asks for none.
        mutating func wait(until time: Int64?) {
            if let time { next = min(next ?? time, time) }
        }
    }

    package private(set) var policy: PhasePolicy
    package let isStepwise: Bool
    private var delays: Delays
    var session: SessionCap
    private(set) var evaluation = Evaluation()
    private var covering = Covering()
    var table = SceneTable()
    var settler: Settler
    var freeze: Freeze
    var lines = Commit()
    private var hasBegun = false
    var hasReread = false
    /// Policy or delays changed: compare every scene next time.
    var comparesAll = false
    /// Covers count no longer: what was covered has not been uncovered by anybody.
    private var uncovers = false
    /// The scenes that are read differently, and those whose change has settled; the memory is used again.
    var changed: [Int32] = []
    var ready: [Int32] = []
    var deltas: [Delta] = []
    /// The scenes whose process or desktop is new, which by itself is no line, and those whose title is.
    var refreshed: [Int32] = []
    var retitled: [Int32] = []
    var titles = TitleSettler()

    /// Whether changed titles are told. Those known when this is set count as told.
    package var tellsTitles = false {
        didSet {
            guard tellsTitles && !oldValue else { return }
            titles = TitleSettler()
            for scene in table.indices where table[scene].told.phase != nil {
                if let title = table.titles[Int(scene)] { titles.markTold(scene, title) }
            }
        }
    }

    /// Whether signs that a background application may be wanted are noted: see `takeSigns`.
    package var tellsSigns = false
    var signs: Set<String> = []

    /// - Parameter states: Those of the session that put every scene in the background.
    package init(
        policy: PhasePolicy = .focus, isStepwise: Bool = false, delays: Delays = Delays(),
        states: Set<SessionState> = Set(SessionState.allCases)
    ) {
        self.policy = policy
        self.isStepwise = isStepwise
        self.delays = delays
        session = SessionCap(states)
        settler = Settler(delays: delays, couplesFocus: policy != .visible)
        freeze = Freeze(delays: delays, screens: [])
    }

    /// Follows another policy, other delays and other states of the session from now on. What this changes is told by the
    /// next updates.
    package mutating func follow(policy: PhasePolicy, delays: Delays, states: Set<SessionState>) {
        session.wanted = SessionLimits(states)
        session.isWantedAnew = true
        uncovers = uncovers || self.delays.cover != nil && delays.cover == nil
        guard policy != self.policy || delays != self.delays else { return }
        self.policy = policy
        self.delays = delays
        settler.dropAll(in: &table)
        settler = Settler(delays: delays, couplesFocus: policy != .visible)
        freeze.delays = delays
        comparesAll = true
    }

    /// Takes in what is seen at `now`. The first call finds everything that is there.
    ///
    /// The desktop is lent, not copied. Names that nobody has any longer are removed from it.
    ///
    /// - Parameters:
    ///   - touched: The slots of the windows of which anything was read since the last call, those of windows that are gone
    ///     included; nil for all of them.
    ///   - isUnchanged: Nothing was read or told since the last call, so that there is nothing to evaluate.
    package mutating func update(
        to desktop: inout Desktop, touched: [Int32]? = nil, isUnchanged: Bool = false, at now: Int64
    ) -> Update {
        var update = Update()
        deltas.empty()
        refreshed.empty()
        retitled.empty()
        table.freeEnded { evaluation.forget($0, $1) }
        changed.empty()
        if !isUnchanged || comparesAll || !hasBegun { evaluate(desktop, touched) }
        let nextCover = covering.update(
            &table, changed: &changed, after: hasBegun ? delays.cover ?? 0 : 0,
            isHidden: session.read.cap == .background, at: now)
        if tellsSigns && hasBegun { noteSigns(desktop.windows.names) }
        if !hasBegun {
            hasBegun = true
            freeze = Freeze(delays: delays, screens: desktop.screens)
            let step = session.begin()
            table.cap = session.told.cap
            start(desktop.windows.names, at: now)
            addNotices(of: step, desktop, &update)
        } else {
            if !isUnchanged {
                for notice in freeze.compare(desktop.screens, at: now) { update.batch.add(notice) }
            }
            if freeze.isFrozen {
                holdStill(desktop, at: now, &update)
            } else {
                if comparesAll { changed = Array(table.indices) }
                copyFacts(of: changed, touched, from: desktop.windows)
                let step = session.settle(delays, at: now)
                // First, so that a change which the new cap hides is no line of its own.
                let falls = session.told.cap < table.cap
                if falls { commit(step, desktop, at: now, &update) }
                if uncovers { uncover(desktop.windows.names, at: now) }
                let next = delays.areNone ? commitAtOnce(desktop, at: now) : settle(desktop, at: now)
                if !falls && !step.isEmpty { commit(step, desktop, at: now, &update) }
                update.wait(until: next)
                update.wait(until: step.next)
            }
        }
        update.wait(until: nextCover)
        fill(&update.batch, desktop.windows.names)
        if tellsTitles { tellTitles(&update, desktop.windows.names, at: now) }
        if !refreshed.isEmpty { update.batch.addRefreshed(refreshed, table, desktop.windows.names) }
        desktop.windows.reclaimNames(keeping: usedNames)
        return update
    }

    /// The names of scenes that are told, which must be kept.
    private var usedNames: [GroupName] {
        table.groups.names + table.indices.flatMap { [table[$0].read.group, table[$0].told.group] }
    }

    func fill(_ batch: inout ChangeBatch, _ names: GroupNames) {
        if deltas.isEmpty { return }
        batch.append(isStepwise ? deltas.flatMap(\.steps) : deltas, table, names)
    }
}

extension SceneTracker {
    /// Writes what is read of the scenes that a change can concern.
    private mutating func evaluate(_ desktop: Desktop, _ touched: [Int32]?) {
        evaluation.update(&table, to: desktop, under: policy, touched: touched, changed: &changed)
        for scene in changed { table.endIfGone(scene) }
        session.read = desktop.limits(
            among: session.wanted, hasLockerCandidates: !evaluation.lockerCandidates.isEmpty)
    }

    /// Copies what need not settle of the scenes that were touched or are read differently.
    mutating func copyFacts(of scenes: [Int32], _ touched: [Int32]?, from windows: WindowTable) {
        for scene in scenes where table[scene].read.phase != nil { copyFacts(of: scene, from: windows) }
        for slot in touched ?? Array(0..<Int32(windows.slotCount)) {
            guard let scene = evaluation.scene(at: Int(slot)), table[scene].read.phase != nil else {
                continue
            }
            copyFacts(of: scene, from: windows)
        }
    }

    private mutating func copyFacts(of scene: Int32, from windows: WindowTable) {
        let (isRetitled, hasNews) = table.copyFacts(of: scene, from: windows)
        guard isRetitled || hasNews, table[scene].told.phase != nil else { return }
        if isRetitled { retitled.append(scene) }
        if hasNews { refreshed.append(scene) }
    }

    /// Finds what has held still, and tells it.
    ///
    /// - Returns: When to look again.
    private mutating func settle(_ desktop: Desktop, at now: Int64) -> Int64? {
        comparesAll = false
        for scene in changed {
            settler.compare(scene, in: &table, at: now)
            // It has held still for long enough before it was read.
            if table[scene].read.hiding == .covered { table[scene].pending?.isConclusive = true }
        }
        if settler.pending.isEmpty { return nil }
        markConclusive(desktop)
        let next = findReady(desktop, at: now)
        if ready.isEmpty { return next }
        settler.drop(ready, in: &table)
        commit(desktop.windows.names, at: now)
        // Other changes may have waited for these.
        let rest = findReady(desktop, at: now)
        return ready.isEmpty ? rest : now
    }

    /// Tells every difference as it is read.
    private mutating func commitAtOnce(_ desktop: Desktop, at now: Int64) -> Int64? {
        comparesAll = false
        swap(&ready, &changed)
        commit(desktop.windows.names, at: now)
        return nil
    }

    /// Makes what is read of the ready scenes what is told. A function of its own in the program too, since Benchmarks/budgets.toml
    /// counts it.
    @inline(never)
    mutating func commit(_ names: GroupNames, at now: Int64, cause: (Cause) -> Cause = { $0 }) {
        ready.sort { table[$0].window < table[$1].window }
        for scene in ready { lines.add(scene, in: &table, names, at: now, cause: cause) }
        lines.tell(of: &table, at: now, in: &deltas)
    }

    /// Tells the phases of scenes that counted as covered, after occlusion was switched off.
    private mutating func uncover(_ names: GroupNames, at now: Int64) {
        uncovers = false
        ready = table.indices.filter {
            table[$0].told.hiding == .covered && table[$0].read.hiding != .covered
        }
        commit(names, at: now) { $0 == .uncovered ? .resync : $0 }
    }

    private mutating func start(_ names: GroupNames, at now: Int64) {
        for scene in table.indices.sorted(by: { table[$0].window < table[$1].window }) {
            lines.add(scene, table[scene].read, .start, nil, in: &table, names, at: now)
        }
        lines.tell(.initial, of: &table, at: now, in: &deltas)
    }
}
