/// A scene: its current judgement, its last reported state, and the differences that have not settled.
struct TrackedScene: Sendable {
    /// What the last line about a scene says.
    struct Reported: Sendable {
        /// The committed judgement, before the limits of the session are applied.
        var judgement: Judgement
        /// The phase of `judgement`, or the greatest one that the limits allow.
        let phase: ScenePhase
        /// When the scene entered the phase.
        var since: Int64
        /// The index of its group in `GroupTable`.
        let group: Int
    }

    /// The slot of the window. Another window may have the slot by now.
    let slot: Int
    /// The current result of the rule. It includes a cover immediately.
    private(set) var evaluated = Judgement.none
    /// `evaluated`, with a cover only after the occlusion delay.
    private(set) var judged = Judgement.none
    /// Whether `judged` has changed since the last update.
    var hasChanged = false
    /// nil before the first line and after the last one.
    var reported: Reported?
    /// The facts that lines report.
    var facts: Change.SceneFacts
    /// The strings of the window that `facts`, or the facts that settle, are from.
    var text = ReadText.none
    /// The difference between `judged` and the reported judgement.
    var pending: Pending<Judgement>?
    /// Whether `judged` has changed since it was found to be what is reported. Comparing both for all scenes at each update
    /// costs as much as the rule.
    private(set) var mayDiffer = true
    /// Whether the scene was judged only active or inactive since the first sign of the pending change.
    var isFocusOnly = false
    /// When a pending change other than a focus step was reverted. A focus step soon afterwards gets no shorter delay:
    /// a window that is unmapped and mapped again may lose the focus for a moment.
    private var reverted: Int64?
    /// When other windows began to cover the scene; nil unless a cover is waiting to count.
    private var coveredSince: Int64?
    /// The facts that settle, if they differ from the reported ones.
    private(set) var pendingFacts: Pending<Change.SceneFacts>?
    /// nil until a title was reported.
    var title: ReportedTitle?

    init(_ window: WindowID, slot: Int) {
        self.slot = slot
        facts = Change.SceneFacts(id: window)
    }

    var window: WindowID { facts.id }

    /// Takes the evaluation for the scene, and its names; without a phase, it has none.
    mutating func take(_ evaluation: Evaluation, _ windows: WindowTable) {
        let hasNames = evaluation.phase == nil || evaluated.group == windows.groups[slot]
        if evaluated.evaluation == evaluation && hasNames { return }
        let group = evaluation.phase == nil ? .unknown : windows.groups[slot]
        evaluated = Judgement(evaluation: evaluation, group: group)
        let staysCovered = evaluation.isCovered && judged.hiding == .covered
        judged = Judgement(evaluation: staysCovered ? evaluation.covered : evaluation.uncovered, group: group)
        if !evaluation.isCovered { coveredSince = nil }
        hasChanged = true
        mayDiffer = true
    }

    /// Applies the cover of a covered scene if it has lasted for `delay`, and returns when it counts. A window that is
    /// dragged across others covers each for a moment. While the display is hidden, the time restarts: a locker covers
    /// every scene.
    mutating func settleCover(after delay: Int64, isHidden: Bool, wasHidden: Bool, at now: Int64) -> Int64? {
        if judged.hiding == .covered { return nil }
        let since = wasHidden ? now : coveredSince ?? now
        coveredSince = since
        if isHidden { return nil }
        if now - since < delay { return since + delay }
        judged = Judgement(evaluation: evaluated.evaluation.covered, group: evaluated.group)
        hasChanged = true
        mayDiffer = true
        coveredSince = nil
        return nil
    }

    /// Compares the judgements if they may differ, and returns whether their difference must settle.
    mutating func compare(_ delays: Delays, at now: Int64) -> Bool {
        if reported.judgement == judged {
            noteReverted(at: now)
            return false
        }
        let isRestless = reverted.map { now - $0 < delays.settle } ?? false
        let isFocusStep = reported.judgement.differsInFocusOnly(from: judged) && !isRestless
        if pending == nil {
            isFocusOnly = isFocusStep
        } else if pending?.value != judged {
            isFocusOnly = isFocusOnly && isFocusStep
        }
        Pending.note(judged, in: &pending, at: now)
        return true
    }

    /// Records that the scene is judged as it is reported.
    private mutating func noteReverted(at now: Int64) {
        if pending != nil && !isFocusOnly { reverted = now }
        pending = nil
        mayDiffer = false
    }

    /// Forgets the pending change, which counts no longer.
    mutating func forgetPending() {
        pending = nil
        reverted = nil
    }

    /// Updates the facts, and returns whether any but the title changed. Facts that a window manager may change for a moment
    /// settle as phases do.
    mutating func update(_ new: Change.SceneFacts, _ delays: Delays, at now: Int64) -> Bool {
        var isNew = facts.pid != new.pid || facts.process != new.process
        facts.title = new.title
        facts.pid = new.pid
        facts.process = new.process
        // Locations that are read from now on, or no longer, do not flicker.
        if (facts.monitor == nil) != (new.monitor == nil)
            || (facts.desktopName == nil) != (new.desktopName == nil)
        {
            isNew = true
            facts.monitor = new.monitor
            facts.desktopName = new.desktopName
        }
        if facts == new {
            pendingFacts = nil
            return isNew
        }
        var settling = new
        settling.title = nil
        settling.pid = nil
        settling.process = nil
        Pending.note(settling, in: &pendingFacts, at: now)
        if reported != nil, let due = factsDue(delays), due > now { return isNew }
        facts = new
        pendingFacts = nil
        return true
    }

    /// Compares the title with the reported one. The first one counts as reported, as does one that a change of the kind
    /// `facts` is about to show.
    mutating func compareTitle(isShown: Bool, at now: Int64) {
        if title == nil && facts.title != nil { title = ReportedTitle(facts.title) }
        title?.compare(facts.title, at: now)
        if isShown { title?.noteShown(facts.title) }
    }

    /// Records that a line about the phase has shown the title. The initial title of a window is part of its first line. A
    /// title that changes together with a phase is also reported: a reader of titles need not read the phases.
    mutating func noteTitle(from: ScenePhase?, to: ScenePhase?) {
        if to == nil {
            title = nil
        } else if from == nil {
            title = ReportedTitle(facts.title)
        } else {
            title?.noteShown(facts.title)
        }
    }

    /// When the pending facts have settled.
    func factsDue(_ delays: Delays) -> Int64? {
        pendingFacts?.due(after: delays.settle, atMost: delays.latest)
    }
}

extension TrackedScene.Reported? {
    /// The reported judgement; of a scene that is not reported, one without a phase.
    var judgement: Judgement { self?.judgement ?? .none }
}

/// The title of a scene that was last reported, and the one to report next.
struct ReportedTitle: Sendable {
    /// How long a title must be stable before it is reported.
    private static let stillness: Int64 = 250_000_000
    /// When an unstable title is reported, counted from its first sign. No scene reports two within this time.
    private static let interval: Int64 = 1_000_000_000

    /// The reported title; nil after a line about the phase has shown another title. Then the next title is reported in
    /// any case.
    private var title: String??
    /// When the title was reported in a line of kind `title`; nil if it was not.
    private var time: Int64?
    /// A title that has changed and is not stable yet. It may equal the reported title: a blinking title does so half of
    /// the time.
    private var pending: Pending<String?>?

    init(_ title: String?) { self.title = title }

    mutating func compare(_ current: String?, at now: Int64) {
        // The title is the reported one again, and stable.
        if let pending, pending.value == title, pending.changed + Self.stillness <= now { self.pending = nil }
        if pending == nil && current == title { return }
        Pending.note(current, in: &pending, at: now)
    }

    /// Records that a line of another kind has shown a title.
    mutating func noteShown(_ shown: String?) {
        if title != shown { title = .none }
    }

    /// When to call `takeDue` again.
    var next: Int64? {
        guard let pending, title != pending.value else { return nil }
        let due = pending.due(after: Self.stillness, atMost: Self.interval)
        return time.map { max(due, $0 + Self.interval) } ?? due
    }

    /// Returns whether the pending title is due, and marks it as reported.
    mutating func takeDue(at now: Int64) -> Bool {
        guard let pending, let next, next <= now else { return false }
        title = pending.value
        time = now
        self.pending = nil
        return true
    }
}
