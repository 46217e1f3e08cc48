/// What one scene reads as at one moment.
package struct SceneReading: Hashable, Sendable {
    /// What must hold still before it is believed.
    package struct Core: Hashable, Sendable {
        package var phase: ScenePhase
        package var hiding: Hiding?
        package var application: String
        package var group: String

        /// Whether another one is grouped by the same names.
        func hasNames(of other: Core) -> Bool {
            application == other.application && group == other.group
        }
    }

    package let id: WindowID
    package var core: Core
    /// The focus was given to it, but it cannot be seen yet.
    package var awaitsFocus = false
    package var title: String?
    package var pid: Int32?
    /// The number of its desktop, -1 for all of them, nil where there are none.
    package var desktop: Int?

    package var phase: ScenePhase { core.phase }
    package var application: String { core.application }
    package var group: String { core.group }
}

extension Desktop {
    /// The scenes of the display and the phase of each.
    ///
    /// A dialog of the same application as the window it is for is part of that window's scene.
    package func scenes(under policy: PhasePolicy) -> [WindowID: SceneReading] {
        scenes(of: windows.values, Activity(policy, on: self))
    }

    /// The scenes of some windows, which must be all or none of those that are dialogs of each other.
    func scenes(of windows: some Sequence<SeenWindow>, _ activity: Activity) -> [WindowID: SceneReading] {
        var scenes: [WindowID: SceneReading] = [:]
        var dialogs: [(reading: SceneReading, main: WindowID)] = []
        scenes.reserveCapacity(windows.underestimatedCount)
        for window in windows {
            guard let reading = scene(of: window, activity) else { continue }
            let main = mainWindow(of: window)
            if main == window.id {
                scenes[main] = reading
            } else {
                dialogs.append((reading, main))
            }
        }
        for dialog in dialogs {
            scenes[dialog.main]?.include(dialog.reading)
        }
        return scenes
    }

    /// What a window that is no dialog reads as, or a dialog by itself; nil for one that is no scene.
    func scene(of window: SeenWindow, _ activity: Activity) -> SceneReading? {
        guard mayBeScene(window) else { return nil }
        let standing = standing(of: window)
        if standing == .gone { return nil }
        var reading = SceneReading(of: window, standing, isActive: activity.includes(window))
        reading.awaitsFocus = activity.awaited.contains(window.id.xid)
        return reading
    }

    /// Whether a window is a scene, or a dialog that is part of one.
    package func isScene(_ window: SeenWindow) -> Bool {
        mayBeScene(window) && isManaged(window)
    }

    private func mayBeScene(_ window: SeenWindow) -> Bool {
        window.kind == .application && !window.isOverrideRedirect
    }

    /// The window whose scene a window is part of: itself, but for dialogs of its own application.
    func mainWindow(of window: SeenWindow) -> WindowID {
        if window.transientFor == nil { return window.id }
        var main = window
        var passed: Set = [window.id]
        while let parent = main.transientFor.flatMap({ windows[$0] }), mayBeScene(parent),
            parent.application == window.application, isManaged(parent)
        {
            // Windows that are transient for each other are dialogs of none.
            guard passed.insert(parent.id).inserted else { return window.id }
            main = parent
        }
        return main.id
    }
}

extension SceneReading {
    fileprivate init(of window: SeenWindow, _ standing: Standing, isActive: Bool) {
        var hiding: Hiding?
        if case .background(let reason) = standing { hiding = reason }
        self.init(
            id: window.id,
            core: Core(
                phase: hiding != nil ? .background : isActive ? .active : .inactive,
                hiding: hiding,
                application: window.application,
                group: window.group
            ),
            title: window.title,
            pid: window.pid,
            desktop: window.desktop.map { $0 == SeenWindow.allDesktops ? -1 : Int($0) }
        )
    }

    /// Adds a dialog: a scene is as much in use as the most used of its windows.
    fileprivate mutating func include(_ dialog: SceneReading) {
        core.phase = max(phase, dialog.phase)
        if phase != .background { core.hiding = nil }
        awaitsFocus = awaitsFocus || dialog.awaitsFocus
    }
}
