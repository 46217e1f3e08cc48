/// Why one window is what it is: what was read of it, and what the rule made of that.
package struct Ruling: Sendable {
    package let window: SeenWindow
    /// The line of the rule that decided whether it can be seen.
    package let line: RuleLine
    /// The scene that it is part of; nil for a window that is no scene.
    package let scene: WindowID?
    /// Its own phase, before that of its dialogs; nil for a window that is no scene.
    package let phase: ScenePhase?
    /// It has the focus, or a window that lends it to it.
    package let isFocused: Bool
}

/// Where it was read which window has the focus.
package enum FocusSource: String, Sendable {
    case activeWindow = "_NET_ACTIVE_WINDOW"
    case inputFocus = "XGetInputFocus"
    case pointer = "XQueryPointer"
    case none
}

extension Desktop {
    /// Explains a window under a policy.
    package func explain(_ window: SeenWindow, under policy: PhasePolicy) -> Ruling {
        let reading = scene(of: window, Activity(policy, on: self))
        return Ruling(
            window: window, line: ruling(on: window),
            scene: reading == nil ? nil : mainWindow(of: window),
            phase: reading?.phase,
            isFocused: focusChain.contains(window.id.xid))
    }
}
