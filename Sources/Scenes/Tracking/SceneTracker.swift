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
    private var freeze: Freeze?
    private var hasReread = false
    private(set) var believed = Believed()
    private var lastRead: [WindowID: SceneReading.Core] = [:]

    package init(policy: PhasePolicy = .focus, isStepwise: Bool = false, delays: Delays = Delays()) {
        self.policy = policy
        self.isStepwise = isStepwise
        self.delays = delays
        settler = Settler(delays: delays, couplesFocus: policy != .visible)
    }

    /// Follows another policy and other delays from now on. What this changes is told by the next updates.
    package mutating func follow(policy: PhasePolicy, delays: Delays) {
        guard policy != self.policy || delays != self.delays else { return }
        self.policy = policy
        self.delays = delays
        settler = Settler(delays: delays, couplesFocus: policy != .visible)
        freeze?.delays = delays
    }

    /// Takes in what is seen at `now`. The first call finds everything that is there.
    package mutating func update(to desktop: Desktop, at now: Duration) -> Update {
        let readings = desktop.scenes(under: policy)
        guard var freeze else {
            self.freeze = Freeze(delays: delays, screens: desktop.screens)
            return Update(events: tell(start(with: readings, at: now)))
        }
        var update = Update(events: freeze.note(desktop.screens, at: now).map(Event.notice))
        defer { self.freeze = freeze }
        if !freeze.isFrozen {
            note(readings, on: desktop, at: now)
            update.events += tell(settle(readings, at: now))
            // What was believed may be what something else had to wait for.
            let rest = settler.ready(at: now, awaitsFocus: awaitsFocus(readings))
            update.next = rest.scenes.isEmpty ? rest.next : now
            return update
        }
        if !keepsStill(readings) { freeze.noteChange(at: now) }
        freeze.awaitsFocus = believed.hasActiveScene && !readings.values.contains { $0.phase == .active }
        update.events += tell(bury(on: desktop, at: now))
        if let end = freeze.end, end > now {
            hasReread = false
            update.next = end
        } else if !hasReread {
            hasReread = true
            update.wantsFullRead = true
        } else {
            hasReread = false
            update.events += freeze.thaw().map(Event.notice)
            update.events += tell(takeOver(readings, at: now))
        }
        return update
    }

    func tell(_ changes: [Change]) -> [Event] {
        (isStepwise ? changes.flatMap(\.steps) : changes).map(Event.change)
    }
}

extension SceneTracker {
    fileprivate mutating func start(with readings: [WindowID: SceneReading], at now: Duration) -> [Change] {
        let found = readings.values.sorted { $0.id < $1.id }
        return believed.believe(
            found.map { Transition(id: $0.id, from: nil, to: $0, cause: .start, held: nil) },
            kind: .initial, at: now)
    }

    /// Hands every difference to the settler.
    fileprivate mutating func note(
        _ readings: [WindowID: SceneReading], on desktop: Desktop, at now: Duration
    ) {
        let destroyed = destroyedScenes(on: desktop)
        for (id, reading) in readings {
            believed.refresh(reading)
            settler.note(id, believed: believed.scenes[id]?.reading.core, read: reading.core, at: now)
        }
        for (id, scene) in believed.scenes where readings[id] == nil {
            let isConclusive =
                destroyed.contains(id)
                && !bringsAppOut(scene.reading, destroyed: destroyed, readings: readings)
            settler.note(
                id, believed: scene.reading.core, read: nil, isConclusive: isConclusive, at: now)
        }
        settler.keep { readings[$0] != nil || believed.scenes[$0] != nil }
    }

    /// Believes what has settled.
    fileprivate mutating func settle(_ readings: [WindowID: SceneReading], at now: Duration) -> [Change] {
        let ready = settler.ready(at: now, awaitsFocus: awaitsFocus(readings)).scenes
        settler.forget(ready)
        return believe(ready, readings: readings, at: now) { Cause(from: $0, to: $1) }
    }

    /// Believes, during a freeze, that destroyed windows are gone: nothing else is certain then.
    fileprivate mutating func bury(on desktop: Desktop, at now: Duration) -> [Change] {
        settler.forgetAll()
        return believe(Array(destroyedScenes(on: desktop)), readings: [:], at: now) { _, _ in .close }
    }

    /// Believes all that is read at the end of a freeze.
    fileprivate mutating func takeOver(_ readings: [WindowID: SceneReading], at now: Duration) -> [Change] {
        lastRead = [:]
        let ids = Set(readings.keys).union(believed.scenes.keys)
        let changed = ids.filter { believed.scenes[$0]?.reading.core != readings[$0]?.core }
        return believe(Array(changed), readings: readings, at: now) { old, new in
            let cause = Cause(from: old, to: new)
            return [.open, .close, .regroup].contains(cause) ? cause : .windowManager
        }
    }

    private mutating func believe(
        _ ids: [WindowID], readings: [WindowID: SceneReading], at now: Duration,
        cause: (SceneReading.Core?, SceneReading.Core?) -> Cause
    ) -> [Change] {
        var transitions: [Transition] = []
        for id in ids.sorted() {
            let scene = believed.scenes[id]
            let (from, to) = (scene?.reading, readings[id])
            let reason = cause(from?.core, to?.core)
            let held = scene.map { now - $0.since }
            if let from, let to, from.names == to.names, from.phase == to.phase {
                // Hidden for another reason, which is nothing to tell.
                believed.replace(id, with: to, at: now)
            } else if let from, let to, from.names != to.names {
                transitions.append(Transition(id: id, from: from, to: nil, cause: reason, held: held))
                transitions.append(Transition(id: id, from: nil, to: to, cause: reason, held: nil))
            } else {
                transitions.append(Transition(id: id, from: from, to: to, cause: reason, held: held))
            }
        }
        return believed.believe(transitions, at: now)
    }

    private func awaitsFocus(_ readings: [WindowID: SceneReading]) -> Bool {
        readings.values.contains {
            $0.awaitsFocus && (believed.scenes[$0.id]?.reading.phase ?? .background) == .background
        }
    }

    private func destroyedScenes(on desktop: Desktop) -> Set<WindowID> {
        Set(believed.scenes.keys.filter { desktop.windows[$0.xid]?.id != $0 })
    }

    /// Whether an application that lives on would leave its phase because one of its windows was destroyed.
    /// Its next window may be about to get the focus, so that has to settle.
    private func bringsAppOut(
        _ scene: SceneReading, destroyed: Set<WindowID>, readings: [WindowID: SceneReading]
    ) -> Bool {
        let name = scene.application
        if let rest = believed.phase(of: name, without: destroyed) {
            return rest != believed.applications[name]?.aggregate.phase
        }
        return readings.values.contains { $0.application == name }
    }

    private mutating func keepsStill(_ readings: [WindowID: SceneReading]) -> Bool {
        let cores = readings.mapValues(\.core)
        defer { lastRead = cores }
        return cores == lastRead
    }
}

extension SceneReading {
    /// What it is grouped by.
    var names: [String] { [application, group] }
}
