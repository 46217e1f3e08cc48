/// Turns what is seen on a display into the changes that are worth telling.
///
/// It takes one `Desktop` after the other with the time of each, a `Duration` since any fixed moment that
/// never runs backwards, and returns what has become certain. It asks nobody and keeps no clock.
package struct SceneTracker: Sendable {
    /// What an update brought.
    package struct Update: Sendable {
        package var events: [Event] = []
        /// When to call again though nothing was seen; nil when there is nothing to wait for.
        package var next: Duration?
        /// Everything should be read anew, and the tracker called again with it.
        package var wantsFullRead = false
    }

    package private(set) var policy: PhasePolicy
    package let isStepwise: Bool
    private var delays: Delays
    private var settler: Settler
    private var freeze: Freeze
    private var hasBegun = false
    private var hasReread = false
    /// What is read now.
    private var index = SceneIndex()
    /// What is believed may differ from what is read in scenes that have not changed since.
    private var mayDiffer = false
    private(set) var believed = Believed()
    /// What the last update told. Whoever got it shares this memory until the next one.
    private var events: [Event] = []
    /// The scenes whose changes have settled; the memory is used again.
    private var ready: [WindowID] = []
    private var lastRead: [WindowID: SceneReading.Core] = [:]

    package init(policy: PhasePolicy = .focus, isStepwise: Bool = false, delays: Delays = Delays()) {
        self.policy = policy
        self.isStepwise = isStepwise
        self.delays = delays
        settler = Settler(delays: delays, couplesFocus: policy != .visible)
        freeze = Freeze(delays: delays, screens: [])
    }

    /// Follows another policy and other delays from now on. What this changes is told by the next updates.
    package mutating func follow(policy: PhasePolicy, delays: Delays) {
        guard policy != self.policy || delays != self.delays else { return }
        self.policy = policy
        self.delays = delays
        settler = Settler(delays: delays, couplesFocus: policy != .visible)
        freeze.delays = delays
        mayDiffer = true
    }

    /// Takes in what is seen at `now`. The first call finds everything that is there.
    ///
    /// - Parameter touched: The windows of which anything was read since the last call; nil for all of them.
    package mutating func update(
        to desktop: Desktop, touched: Set<UInt32>? = nil, at now: Duration
    ) -> Update {
        events.removeAll(keepingCapacity: true)
        let changed = index.update(to: desktop, under: policy, touched: touched)
        var update = takeIn(changed, on: desktop, at: now)
        update.events = tell(events)
        if events.isOversized { events = [] }
        return update
    }

    private mutating func takeIn(_ changed: [WindowID], on desktop: Desktop, at now: Duration) -> Update {
        var update = Update()
        guard hasBegun else {
            hasBegun = true
            freeze = Freeze(delays: delays, screens: desktop.screens)
            start(at: now)
            return update
        }
        events += freeze.note(desktop.screens, at: now).map(Event.notice)
        if !freeze.isFrozen {
            if delays.areNone {
                believeAtOnce(changed, at: now)
                return update
            }
            note(changed, on: desktop, at: now)
            update.next = settle(at: now)
            return update
        }
        if !keepsStill() { freeze.noteChange(at: now) }
        freeze.awaitsFocus =
            believed.hasActiveScene && !index.readings.values.contains { $0.phase == .active }
        bury(on: desktop, at: now)
        if let end = freeze.end, end > now {
            hasReread = false
            update.next = end
        } else if !hasReread {
            hasReread = true
            update.wantsFullRead = true
        } else {
            hasReread = false
            events += freeze.thaw().map(Event.notice)
            takeOver(at: now)
        }
        return update
    }

    func tell(_ changes: [Event]) -> [Event] {
        isStepwise ? changes.flatMap(\.steps) : changes
    }
}

extension SceneTracker {
    private mutating func start(at now: Duration) {
        let found = index.readings.values.sorted { $0.id < $1.id }
        believed.believe(
            found.map { Transition(from: nil, to: $0.phase, reading: $0, cause: .start, held: nil) },
            kind: .initial, at: now, in: &events)
    }

    /// Believes every difference as it is read.
    private mutating func believeAtOnce(_ changed: [WindowID], at now: Duration) {
        let ids = allThatMayDiffer(changed)
        for id in ids {
            if let reading = index.readings[id] { believed.refresh(reading) }
        }
        believe(ids, at: now) { Cause(from: $0, to: $1) }
    }

    private mutating func allThatMayDiffer(_ changed: [WindowID]) -> [WindowID] {
        defer { mayDiffer = false }
        return mayDiffer
            ? Set(changed).union(index.readings.keys).union(believed.scenes.keys).sorted() : changed
    }

    /// Hands every difference to the settler.
    private mutating func note(_ changed: [WindowID], on desktop: Desktop, at now: Duration) {
        for id in allThatMayDiffer(changed) {
            if let reading = index.readings[id] { believed.refresh(reading) }
            settler.note(
                id, believed: believed.scenes[id]?.reading.core, read: index.readings[id]?.core, at: now)
        }
        noteDestroyed(on: desktop, at: now)
    }

    /// Says of the scenes that are gone whether that needs no time to be believed, which their applications
    /// tell.
    private mutating func noteDestroyed(on desktop: Desktop, at now: Duration) {
        guard settler.pending.contains(where: { $0.value.read == nil }) else { return }
        let gone = settler.pending.filter { $0.value.read == nil }.keys
        let destroyed = Set(gone.filter { desktop.windows[$0.xid]?.id != $0 })
        for id in gone {
            guard let reading = believed.scenes[id]?.reading else { continue }
            let isConclusive = destroyed.contains(id) && !bringsAppOut(reading, destroyed: destroyed)
            settler.note(id, believed: reading.core, read: nil, isConclusive: isConclusive, at: now)
        }
    }

    /// Believes what has settled; returns when to look again.
    private mutating func settle(at now: Duration) -> Duration? {
        let next = settler.findReady(at: now, awaitsFocus: awaitsFocus, in: &ready)
        if ready.isEmpty { return next }
        settler.forget(ready)
        ready.sort()
        believe(ready, at: now) { Cause(from: $0, to: $1) }
        ready.empty()
        // What was believed may be what something else had to wait for.
        let rest = settler.findReady(at: now, awaitsFocus: awaitsFocus, in: &ready)
        defer { ready.empty() }
        return ready.isEmpty ? rest : now
    }

    /// Believes, during a freeze, that destroyed windows are gone: nothing else is certain then.
    private mutating func bury(on desktop: Desktop, at now: Duration) {
        settler.forgetAll()
        believe(destroyedScenes(on: desktop).sorted(), at: now) { _, _ in .close }
    }

    /// Believes all that is read at the end of a freeze.
    private mutating func takeOver(at now: Duration) {
        lastRead = [:]
        mayDiffer = false
        for reading in index.readings.values { believed.refresh(reading) }
        let ids = Set(index.readings.keys).union(believed.scenes.keys)
        believe(ids.sorted(), at: now) { old, new in
            let cause = Cause(from: old, to: new)
            return [.open, .close, .regroup].contains(cause) ? cause : .windowManager
        }
    }

    /// Believes of some scenes, which are ascending, what is read of them.
    private mutating func believe(
        _ ids: [WindowID], at now: Duration,
        cause: (SceneReading?, SceneReading?) -> Cause
    ) {
        for id in ids {
            let scene = believed.scenes[id]
            let (from, to) = (scene?.reading, index.readings[id])
            if from?.core == to?.core { continue }
            if let from, let to, from.phase == to.phase, from.core.hasNames(of: to.core) {
                // Hidden for another reason, which is nothing to tell.
                believed.replace(id, with: to, at: now)
                continue
            }
            let reason = cause(from, to)
            let held = scene.map { now - $0.since }
            // Under another name it is another one.
            let isRenamed = from.flatMap { from in to.map { !from.core.hasNames(of: $0.core) } } ?? false
            if let from, isRenamed || to == nil {
                believed.believe(
                    Transition(from: from.phase, to: nil, reading: from, cause: reason, held: held), at: now)
            }
            if let to {
                let old = isRenamed ? nil : from?.phase
                believed.believe(
                    Transition(
                        from: old, to: to.phase, reading: to, cause: reason, held: old == nil ? nil : held),
                    at: now)
            }
        }
        believed.tellBatch(at: now, in: &events)
    }

    private var awaitsFocus: Bool {
        index.awaiting.contains { (believed.scenes[$0]?.reading.phase ?? .background) == .background }
    }

    private func destroyedScenes(on desktop: Desktop) -> Set<WindowID> {
        Set(believed.scenes.keys.filter { desktop.windows[$0.xid]?.id != $0 })
    }

    /// Whether an application that lives on would leave its phase because one of its windows was destroyed.
    /// Its next window may be about to get the focus, so that has to settle.
    private func bringsAppOut(_ scene: SceneReading, destroyed: Set<WindowID>) -> Bool {
        let name = scene.application
        if let rest = believed.phase(of: name, without: destroyed) {
            return rest != believed.phase(of: name)
        }
        // What is read and not believed is pending.
        return settler.pending.values.contains { $0.read?.application == name }
    }

    private mutating func keepsStill() -> Bool {
        let cores = index.readings.mapValues(\.core)
        defer { lastRead = cores }
        return cores == lastRead
    }
}
