import Scenes
import X11

/// Why windows and applications are in their phases: every fact that was read, and what the rule made of it.
public struct Explanation: Sendable {
    /// An application with at least one scene.
    public struct Application: Sendable {
        /// What `Change.application` says of it.
        public let name: String
        /// The greatest phase of its scenes.
        public let phase: ScenePhase
        /// The scene that gave it its phase.
        public let scene: WindowID
    }

    /// A window, which need not be a scene.
    public struct Window: Sendable {
        /// The application it belongs to.
        public let application: String
        /// The group of its application that it belongs to.
        public let group: String
        /// Its X resource id.
        public let id: WindowID
        /// `_NET_WM_NAME` or `WM_NAME`; nil where neither is set, or titles are not read.
        public let title: String?
        /// The scene that it is part of: itself, or the one that it is a dialog of; nil for a window that is no scene.
        public let scene: WindowID?
        /// Its own phase, before that of its dialogs; nil for a window that is no scene.
        public let phase: ScenePhase?
        /// A word for the line of the rule that decided whether it can be seen: `other-desktop`, say, or the name of a limit.
        public let rule: String
        /// What that line says, as the end of a sentence about the window.
        public let sentence: String
        /// It has the focus, or a window that lends it to it.
        public let isFocused: Bool
        /// What hides all of it; nil where that is not other windows.
        public let cover: Cover?
        /// Every input of the rule that belongs to the window.
        public let facts: [Fact]
    }

    /// Who has the focus.
    public struct Focus: Sendable {
        /// The window that has it; nil when none has.
        public let holder: WindowID?
        /// The holder and the windows it lends its focus to, by `WM_TRANSIENT_FOR`; empty where it cannot be seen.
        public let chain: [WindowID]
        /// What says so: `_NET_ACTIVE_WINDOW`, `XGetInputFocus`, `XQueryPointer` or `none`.
        public let source: String
    }

    /// The applications of the windows, in the order of their names.
    public let applications: [Application]
    /// The windows that were asked for, in the order of their ids.
    public let windows: [Window]
    /// What holds of the session now, first what names the phases.
    public let limits: [Limit]
    /// Every input of the rule that belongs to the session.
    public let session: [Fact]
    /// For each X screen every input of the rule that belongs to it.
    public let screens: [[Fact]]
    /// Who has the focus.
    public let focus: Focus
}

extension Explanation {
    /// - Parameters:
    ///   - session: What limits all phases.
    ///   - slots: The windows to explain.
    init(
        of desktop: Desktop, under policy: PhasePolicy, _ session: SessionExplanation,
        _ slots: some Sequence<Int>
    ) {
        let (table, cap) = (desktop.windows, session.limits.cap)
        limits = session.all
        self.session = session.facts
        let limit = limits.first
        let windows = slots.sorted { table.facts[$0].id < table.facts[$1].id }
            .compactMap { desktop.verdict(at: $0, under: policy).map { Window($0, cap, limit) } }
        let names = Set(windows.map(\.application))
        var scenes: [String: [(id: WindowID, phase: ScenePhase)]] = [:]
        for (slot, reading) in desktop.scenes(under: policy) {
            guard let phase = reading.phase, names.contains(table.text(slot).application) else { continue }
            scenes[table.text(slot).application, default: []].append((table.facts[slot].id, min(phase, cap)))
        }
        applications = names.sorted().compactMap { name in
            // The first of several, so that the answer is the same each time.
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
    /// - Parameter limit: What keeps its phase from being more than `cap`.
    init(_ verdict: Verdict, _ cap: ScenePhase, _ limit: Explanation.Limit?) {
        // What hides every scene comes before what hides one behind others.
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
        facts = verdict.facts
    }
}

extension PhaseWatcher {
    /// Explains what there is of a subject now, before any settling.
    ///
    /// A window that is named by `Subject.scene` is explained even if it is no scene. The other subjects name scenes and
    /// their dialogs.
    ///
    /// - Throws: `Failure.displayLost`.
    public func explain(_ subject: PhaseMonitor.Subject) throws(PhaseMonitor.Failure) -> Explanation {
        details = [.titles, .processes, .places]
        var desktop = try seen(readsAges: true)
        let selection = Selection(subject)
        let chosen = desktop.windows.usedSlots.filter {
            selection.matches(desktop.windows.facts[$0], desktop.windows.text($0))
        }
        let unnamed = desktop.unnamedCovers(of: chosen, atMost: Explanation.Cover.mostNamed)
        if !unnamed.isEmpty {
            observer.follow(unmanaged: unnamed)
            desktop = try seen()
        }
        let session = SessionExplanation(
            of: desktop, watchedBy: tracker, ages: observer.ages, locker: try locker(on: desktop))
        let table = desktop.windows
        if case .scene = subject { return Explanation(of: desktop, under: policy, session, chosen) }
        let named = chosen.filter { desktop.isScene(table.facts[$0]) }
        guard case .application = subject else {
            return Explanation(of: desktop, under: policy, session, named)
        }
        // An instance name stands for its whole application.
        let applications = Set(named.map { table.text($0).application })
        return Explanation(
            of: desktop, under: policy, session,
            table.usedSlots.filter {
                desktop.isScene(table.facts[$0]) && applications.contains(table.text($0).application)
            })
    }

    /// The process of what locks the screen.
    private func locker(on desktop: Desktop) throws(PhaseMonitor.Failure) -> Int32? {
        guard tracker.session.wanted.contains(.lock), let window = desktop.lock?.windows.first else {
            return nil
        }
        return try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in
            try observer.process(of: window)
        }
    }
}
