import Scenes
import X11

/// Explains the phases of windows and applications: every fact that was read, and the rule's conclusions from it.
package struct Explanation: Sendable {
    /// An application with at least one scene.
    package struct Application: Sendable {
        /// The name, as in `Change.application`.
        package let name: String
        /// The greatest phase of its scenes.
        package let phase: ScenePhase
        /// The scene that determines the phase.
        package let scene: WindowID
    }

    /// A window, which may not be a scene.
    package struct Window: Sendable {
        /// The name of its application.
        package let application: String
        /// The name of its group within the application.
        package let group: String
        /// Its X resource ID.
        package let id: WindowID
        /// `_NET_WM_NAME` or `WM_NAME`; nil if neither is set or titles are not read.
        package let title: String?
        /// The scene that it is part of: itself, or the scene whose dialog it is; nil for a window that is not a scene.
        package let scene: WindowID?
        /// Its own phase, regardless of its dialogs; nil for a window that is not a scene.
        package let phase: ScenePhase?
        /// The name of the line of the rule that decided on visibility, such as `other-desktop`, or the name of a
        /// limit.
        package let rule: String
        /// The meaning of that line, as the end of a sentence about the window.
        package let sentence: String
        /// Whether it has the focus, or a window that lends its focus to it has.
        package let isFocused: Bool
        /// The windows that hide it completely; nil unless other windows decided its phase.
        package let cover: Cover?
        /// Every input of the rule for the window.
        package let facts: [Fact]
    }

    /// The focus and the source of this information.
    package struct Focus: Sendable {
        /// The window with the focus; nil if there is none.
        package let holder: WindowID?
        /// The holder, and the windows to which it lends its focus by `WM_TRANSIENT_FOR`; empty if the holder cannot be
        /// seen.
        package let chain: [WindowID]
        /// The source: `_NET_ACTIVE_WINDOW`, `XGetInputFocus`, `XQueryPointer` or `none`.
        package let source: String
    }

    /// The applications of the windows, sorted by name.
    package let applications: [Application]
    /// The requested windows, sorted by ID.
    package let windows: [Window]
    /// The limits in effect in the session. The first one determines the phases.
    package let limits: [Limit]
    /// Every input of the rule for the session.
    package let session: [Fact]
    /// Every input of the rule for each X screen.
    package let screens: [[Fact]]
    /// The focus.
    package let focus: Focus
}

extension Explanation {
    /// - Parameters:
    ///   - session: The limits on all phases.
    ///   - slots: The slots of the windows to explain.
    init(
        of desktop: Desktop, under policy: PhasePolicy, _ session: SessionExplanation,
        _ slots: some Sequence<Int>
    ) {
        let (table, cap) = (desktop.windows, session.limits.cap)
        limits = session.all
        self.session = session.facts
        let limit = limits.first
        let tabs = ConcealedWindows(on: desktop).tabs
        let windows = slots.sorted { table.facts[$0].id < table.facts[$1].id }.compactMap { slot in
            desktop.verdict(at: slot, under: policy)
                .map { Window($0, table.extent(slot, among: tabs), cap, limit) }
        }
        let names = Set(windows.map(\.application))
        var scenes: [String: [(id: WindowID, phase: ScenePhase)]] = [:]
        for (slot, reading) in desktop.scenes(under: policy) {
            guard let phase = reading.phase, names.contains(table.text(slot).application) else { continue }
            scenes[table.text(slot).application, default: []].append((table.facts[slot].id, min(phase, cap)))
        }
        applications = names.sorted().compactMap { name in
            // The scene with the lowest ID comes first, so that the result is always the same.
            let own = (scenes[name] ?? []).sorted { $0.id < $1.id }
            return own.first { $0.phase == own.map(\.phase).max() }
                .map { Application(name: name, phase: $0.phase, scene: $0.id) }
        }
        self.windows = windows
        screens = desktop.screens.map(\.facts)
        focus = Focus(
            holder: desktop.focusHolder.map { table.facts(of: $0)?.id ?? WindowID($0) },
            chain: desktop.focusChain.windows.sorted().compactMap { table.facts(of: $0)?.id },
            source: desktop.focusSource.rawValue)
    }
}

extension Explanation.Window {
    /// - Parameter limit: The limit that keeps the phase from exceeding `cap`.
    init(_ verdict: Verdict, _ extent: Change.Extent, _ cap: ScenePhase, _ limit: Explanation.Limit?) {
        // A limit on every scene takes precedence over the cover of one scene.
        let isLimited = verdict.phase.map { $0 > cap || verdict.cover != nil && cap == .background } ?? false
        application = verdict.window.text.application
        group = verdict.window.text.group
        id = verdict.window.id
        title = verdict.window.title
        scene = verdict.scene
        phase = verdict.phase.map { min($0, cap) }
        cover = isLimited ? nil : verdict.cover.map(Explanation.Cover.init)
        rule = isLimited ? limit?.name ?? "" : verdict.reason.rawValue
        sentence = isLimited ? limit?.sentence ?? "" : cover?.sentence ?? verdict.reason.sentence
        isFocused = verdict.isFocused
        facts = verdict.facts + [Fact("extent", extent.rawValue)]
    }
}

extension PhaseWatcher {
    /// Explains the present state of a subject, before any settling.
    ///
    /// A window named by `Subject.scene` is explained even if it is not a scene. The other subjects name scenes and
    /// their dialogs.
    ///
    /// - Throws: `Failure.displayLost`, `.displaySilent`.
    package func explain(_ subject: PhaseMonitor.Subject) throws(PhaseMonitor.Failure) -> Explanation {
        details = [.titles, .processes, .places]
        var desktop = try seen(readsAges: true)
        let selection = Selection(subject)
        var groups: [String: Set<String>] = [:]
        for slot in desktop.windows.usedSlots where desktop.isScene(desktop.windows.facts[slot]) {
            let text = desktop.windows.text(slot)
            groups[text.application, default: []].insert(text.group)
        }
        let chosen = desktop.windows.usedSlots.filter {
            let window = Selection.Window(desktop.windows.facts[$0], desktop.windows.text($0))
            return selection.matches(window, groups: groups[window.application] ?? [])
        }
        let unnamed = desktop.unnamedCovers(of: chosen, atMost: Explanation.Cover.mostNamed)
        if !unnamed.isEmpty {
            observer.follow(unmanaged: unnamed)
            desktop = try seen()
        }
        let session = SessionExplanation(
            of: desktop, watchedBy: tracker, ages: observer.ages, locker: try locker(on: desktop))
        if case .scene = subject { return Explanation(of: desktop, under: policy, session, chosen) }
        return Explanation(
            of: desktop, under: policy, session,
            chosen.filter { desktop.isScene(desktop.windows.facts[$0]) })
    }

    /// Returns the process that locks the screen; nil if that is not known.
    private func locker(on desktop: Desktop) throws(PhaseMonitor.Failure) -> Int32? {
        guard tracker.session.wanted.contains(.lock), let window = desktop.lock?.windows.first else {
            return nil
        }
        return try observer.process(of: window)
    }
}
