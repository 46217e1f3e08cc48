@testable import Scenes

/// Actions of users, programs and window managers. The tracker sees each action immediately and as a whole.
extension Timeline {
    /// Opens a window, or a dialog: a window that is transient for another.
    @discardableResult
    mutating func open(_ name: String, dialogOf parent: String? = nil, focus: Bool = false) -> [String] {
        let parent = parent.map { names[$0] }
        let window = names.create(name).with { $0.transientFor = parent }
        return change { desktop in
            desktop.add(window)
            if focus { desktop.screen.activeWindow = window.id.xid }
        }
    }

    /// Focuses a window, or none if the name is nil.
    @discardableResult
    mutating func focus(_ name: String?) -> [String] {
        let xid = name.map { names[$0] } ?? 0
        return change { $0.screen.activeWindow = xid }
    }

    /// Destroys windows and, if one of them has the focus, removes the focus.
    @discardableResult
    mutating func destroy(_ gone: String...) -> [String] {
        let ids = gone.map { names[$0] }
        return change { desktop in
            for xid in ids {
                desktop.remove(xid)
                if desktop.screen.activeWindow == xid { desktop.screen.activeWindow = 0 }
            }
        }
    }

    @discardableResult
    mutating func withdraw(_ name: String) -> [String] {
        let xid = names[name]
        return change { desktop in
            desktop.edit(xid) {
                $0.mapState = .unmapped
                $0.state = .withdrawn
            }
            desktop.screen.clients?.remove(xid)
        }
    }

    @discardableResult
    mutating func edit(_ name: String, _ edit: (inout SeenWindow) -> Void) -> [String] {
        let xid = names[name]
        return change { $0.edit(xid, edit) }
    }

    /// Iconifies a window and removes its focus.
    @discardableResult
    mutating func iconify(_ name: String) -> [String] {
        let xid = names[name]
        return change { desktop in
            desktop.edit(xid) { $0.iconify() }
            if desktop.screen.activeWindow == xid { desktop.screen.activeWindow = 0 }
        }
    }

    @discardableResult
    mutating func deiconify(_ name: String, focus: Bool = false) -> [String] {
        let xid = names[name]
        return change { desktop in
            desktop.edit(xid) { $0.deiconify() }
            if focus { desktop.screen.activeWindow = xid }
        }
    }

    @discardableResult
    mutating func unmap(_ name: String) -> [String] {
        edit(name) { $0.mapState = .unmapped }
    }

    @discardableResult
    mutating func map(_ name: String) -> [String] {
        edit(name) { $0.mapState = .viewable }
    }

    /// Switches to another desktop and focuses a window on it, or none if the name is nil.
    @discardableResult
    mutating func goToDesktop(_ number: UInt32, focus name: String? = nil) -> [String] {
        let xid = name.map { names[$0] } ?? 0
        return change { desktop in
            desktop.screen.currentDesktop = number
            desktop.screen.activeWindow = xid
            for id in desktop.windows.windows.map(\.id.xid) {
                desktop.edit(id) { $0.mapState = $0.desktop == number ? .viewable : .unmapped }
            }
        }
    }
}

extension SeenWindow {
    mutating func iconify() {
        self.mapState = .unmapped
        self.state = .iconic
        self.states.insert(.hidden)
    }

    mutating func deiconify() {
        self.mapState = .viewable
        self.state = .normal
        self.states.remove(.hidden)
    }
}
