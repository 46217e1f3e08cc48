import Testing

@testable import Scenes

/// A sentence about one window, what changes it on a desktop, and what the rule says then.
///
/// Without changes: window 1 of a running EWMH manager, listed, Normal and viewable, without the focus.
struct RuleCase: Sendable, CustomTestStringConvertible {
    typealias Arrangement = @Sendable (inout Desktop, inout SeenWindow) -> Void

    let testDescription: String
    let expected: Visibility
    let arrange: Arrangement

    init(_ sentence: String, _ expected: Visibility, _ arrange: @escaping Arrangement = { _, _ in }) {
        testDescription = sentence
        self.expected = expected
        self.arrange = arrange
    }

    var visibility: Visibility {
        var desktop = Desktop.managed()
        var window = SeenWindow.client(1)
        desktop.screens[0].clients = [1]
        arrange(&desktop, &window)
        desktop.windows[1] = window
        return desktop.visibility(of: window)
    }
}

extension Desktop {
    /// The window manager lives, but nothing on the root window is known to be from it.
    mutating func haveUnknownManager() {
        screens[0].manager = Screen.Manager()
        screens[0].wasRewritten = false
    }

    /// The window manager shows windows by its own compositor, and unmaps none.
    mutating func haveOwnCompositor() {
        screens[0].isOwnCompositor = true
    }

    /// Adds a window that lies over the first one.
    mutating func cover(by xid: UInt32 = 2) {
        add(.client(xid, "Cover").with { $0.place = Rectangle(width: 1280, height: 800) })
    }

    /// Adds a DESKTOP window and says which windows are stacked how, the lowest first.
    mutating func showDesktop(stacking: [UInt32]) {
        add(.client(9, "Files").with { $0.kind = .desktop })
        screens[0].isShowingDesktop = true
        screens[0].stacking = stacking
    }
}
