/// A snapshot of everything that is read from a display.
package struct Desktop: Sendable {
    /// The input focus that XGetInputFocus returns.
    package enum InputFocus: Hashable, Sendable, Codable {
        case none
        /// PointerRoot or the root window: the window under the pointer has the focus, nil if there is none.
        case underPointer(UInt32?)
        /// A known window or one of its descendants.
        case window(UInt32)
        /// A window of this X client outside all known ones: a frame, or a window of the window manager. The client is 0
        /// for the root window and the server's own windows.
        case elsewhere(client: UInt32)
    }

    package var screen: Screen
    /// The known windows, managed or not.
    package var windows = WindowTable()
    /// The children of the root window, known or not.
    package var stacking = Stacking()
    package var inputFocus = InputFocus.none
    package var session = Session()

    package init(screen: Screen = Screen()) { self.screen = screen }

    /// The facts of a known window or of another child of the root window; nil for any other window.
    package func facts(of window: UInt32) -> WindowFacts? {
        windows.facts(of: window) ?? stacking[window]
    }
}
