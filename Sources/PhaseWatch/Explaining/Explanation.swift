import Scenes

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
        /// A word for the line of the rule that decided whether it can be seen: `other-desktop`, say.
        public let rule: String
        /// What that line says, as the end of a sentence about the window.
        public let sentence: String
        /// It has the focus, or a window that lends it to it.
        public let isFocused: Bool
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
    /// For each X screen every input of the rule that belongs to it.
    public let screens: [[Fact]]
    /// Who has the focus.
    public let focus: Focus
}

extension Explanation {
    /// - Parameter isWanted: Which windows to explain.
    init(of desktop: Desktop, under policy: PhasePolicy, isWanted: (SeenWindow) -> Bool) {
        let scenes = desktop.scenes(under: policy).values.sorted { $0.id < $1.id }
        let windows = desktop.windows.values.filter(isWanted).sorted { $0.id < $1.id }
            .map { Window(desktop.explain($0, under: policy)) }
        applications = Set(windows.map(\.application)).sorted().compactMap { name in
            // The first of several, so that the answer is the same each time.
            let own = scenes.filter { $0.application == name }
            return own.first { $0.phase == own.map(\.phase).max() }
                .map { Application(name: name, phase: $0.phase, scene: $0.id) }
        }
        self.windows = windows
        screens = desktop.screens.map(\.facts)
        focus = Focus(
            holder: desktop.focusHolder.map { desktop.windows[$0]?.id ?? WindowID($0) },
            chain: desktop.focusChain.sorted().compactMap { desktop.windows[$0]?.id },
            source: desktop.focusSource.rawValue)
    }
}

extension Explanation.Window {
    init(_ ruling: Ruling) {
        application = ruling.window.application
        group = ruling.window.group
        id = ruling.window.id
        title = ruling.window.title
        scene = ruling.scene
        phase = ruling.phase
        rule = ruling.line.rawValue
        sentence = ruling.line.sentence
        isFocused = ruling.isFocused
        facts = ruling.facts
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
        let desktop = try seen()
        let selection = Selection(subject)
        if case .scene = subject {
            return Explanation(of: desktop, under: policy, isWanted: selection.matches)
        }
        let named = desktop.windows.values.filter { desktop.isScene($0) && selection.matches($0) }
        guard case .application = subject else {
            let ids = Set(named.map(\.id))
            return Explanation(of: desktop, under: policy) { ids.contains($0.id) }
        }
        // An instance name stands for its whole application.
        let applications = Set(named.map(\.application))
        return Explanation(of: desktop, under: policy) {
            desktop.isScene($0) && applications.contains($0.application)
        }
    }
}
