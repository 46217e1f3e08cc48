/// All that is seen on a display at one moment.
package struct Desktop: Sendable {
    /// Where XGetInputFocus says that keys go.
    package enum InputFocus: Hashable, Sendable, Codable {
        case none
        /// PointerRoot or a root window: to the window under the pointer, nil when it is on no window.
        case underPointer(screen: Int, window: UInt32?)
        /// To a known window or to one inside it.
        case window(UInt32)
        /// To a window outside of all known ones: a frame, or the window manager's own.
        case elsewhere(screen: Int)
    }

    package var screens: [Screen]
    /// The known windows, managed or not.
    package var windows: WindowTable
    /// The children of the root windows, known or not.
    package var stacking: Stacking
    /// Shapes, opacity and borders of root-window children and clients, for occlusion; else empty.
    package var surfaces: [UInt32: Surface] = [:]
    package var inputFocus: InputFocus
    package var session = Session()
    /// The windows with _NET_WM_STATE_HIDDEN that others cover, cached; nil if not cached.
    var knownCovered: Set<UInt32>?
    /// The focus chain, cached for the test of each window with _NET_WM_STATE_HIDDEN; nil if not cached. Unlike
    /// `focusChain` it is also set while the focused window cannot be seen.
    var knownChain: FocusChain?

    package init(
        screens: [Screen] = [Screen()], windows: WindowTable = WindowTable(), inputFocus: InputFocus = .none
    ) {
        self.screens = screens
        self.windows = windows
        stacking = Stacking(screenCount: screens.count)
        self.inputFocus = inputFocus
    }
    /// Moves the input focus to a window, in place: to read and write `inputFocus` would copy the desktop.
    ///
    /// - Returns: Whether the window is known; otherwise nothing is changed.
    package mutating func moveFocus(to xid: UInt32) -> Bool {
        guard windows.slot(of: xid) != nil else { return false }
        inputFocus = .window(xid)
        return true
    }
}
