import Testing

@testable import Scenes

/// The visibility of one window, before focus and policy.
enum Visibility: Hashable {
    case gone
    case background(Cause)
    case visible
}

/// A description of one window, the changes to it and its desktop, and its expected visibility.
///
/// Without changes, window 1 is under a running EWMH window manager, listed, Normal and viewable, without the focus.
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
        desktop.add(window)
        arrange(&desktop, &window)
        desktop.windows[1] = window
        return desktop.visibility(of: window)
    }
}

extension Desktop {
    /// Simulates a running window manager that is not known to have written the properties of the root window.
    mutating func haveUnknownManager() {
        screen.manager = Screen.Manager()
        screen.wasRewritten = false
    }

    /// Simulates a window manager that is its own compositor and does not unmap windows.
    mutating func haveOwnCompositor() {
        screen.isOwnCompositor = true
    }

    /// Adds a frame with the geometry of a window, of which it may show only the upper part.
    mutating func putFrame(around window: inout SeenWindow, height: Int32? = nil) {
        window.topLevel = 0xF00
        stacking.add(0xF00)
        stacking[0xF00]?.geometry = window.geometry
        if let height { stacking[0xF00]?.geometry?.height = height }
    }

    /// Adds a window with the geometry of the first one.
    mutating func cover(by xid: UInt32 = 2) {
        add(.client(xid, "Cover"))
    }

    /// Adds a DESKTOP window, shows the desktop and sets the stacking order, lowest first.
    mutating func showDesktop(stacking: [UInt32]) {
        add(.client(9, "Files").with { $0.kind = .desktop })
        screen.isShowingDesktop = true
        screen.stacking = stacking
    }
}
