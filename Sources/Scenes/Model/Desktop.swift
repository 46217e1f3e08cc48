/// All that is seen on a display at one moment.
package struct Desktop: Sendable {
    /// Where XGetInputFocus says that keys go.
    package enum InputFocus: Hashable, Sendable {
        case none
        /// PointerRoot or a root window: to the window under the pointer, nil when it is on no window.
        case underPointer(screen: Int, window: UInt32?)
        /// To a known window or to one inside it.
        case window(UInt32)
        /// To a window that is not of a known one: a frame, one of the window manager's own.
        case elsewhere(screen: Int)
    }

    package var screens: [Screen]
    /// The known windows, managed or not.
    package var windows: WindowTable
    /// The children of the root windows, known or not.
    package var stacking: Stacking
    /// What is read of the children of root windows and of clients to tell which are covered, where that is asked.
    package var surfaces: [UInt32: Surface] = [:]
    package var inputFocus: InputFocus
    package var session = Session()
    /// How many windows cover each of those that say that they are hidden, where that is known of all of them.
    var coverCounts: [UInt32: Int]?
    /// The window that was given the focus and those that it lends it to, where they are known: a chain may be as long as
    /// there are windows, and each that says that it is hidden is looked for in it.
    var knownChain: FocusChain?

    package init(
        screens: [Screen] = [Screen()], windows: WindowTable = WindowTable(), inputFocus: InputFocus = .none
    ) {
        self.screens = screens
        self.windows = windows
        stacking = Stacking(screenCount: screens.count)
        self.inputFocus = inputFocus
    }
    /// Moves the input focus to a window. An object that holds the desktop copies nothing for it, as it would to read it.
    ///
    /// - Returns: Whether the window is known; otherwise nothing is changed.
    package mutating func moveFocus(to xid: UInt32) -> Bool {
        guard windows.slot(of: xid) != nil else { return false }
        inputFocus = .window(xid)
        return true
    }
}
