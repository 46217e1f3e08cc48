import Scenes
import System

/// A reader that decodes a recording line by line, and maintains the desktop that it describes. Whatever the lines
/// contain, the desktop is one that a server could have.
package struct LookReader {
    /// A hundred years, in nanoseconds.
    private static let latest: Int64 = 3_200_000_000_000_000_000

    package let header: RecordingHeader
    package var desktop: Desktop
    /// The moment of the last line, in nanoseconds since the start.
    private var last: Int64 = 0

    /// - Parameter line: The first line.
    package init(_ line: ArraySlice<UInt8>) throws(RecordingFault) {
        header = try RecordingHeader(line)
        desktop = Desktop(screens: (0..<header.screenCount).map { _ in Screen() })
    }

    /// Decodes a line without applying it.
    package mutating func line(_ bytes: ArraySlice<UInt8>) throws(RecordingFault) -> RecordedLine {
        let line: RecordedLine = try LineCoding.decode(bytes)
        try check(line.at >= last, "its time is before that of the line above")
        try check(line.at <= Self.latest && line.calendar?.isPlausible ?? true, "its time is out of range")
        try check((line.notice.map { $0.name + $0.text } ?? "").isPlausible, "a text is too long")
        last = line.at
        return line
    }

    /// Applies a look to the desktop.
    package mutating func take(_ look: Look) throws(RecordingFault) {
        if let changes = look.screens {
            // Read before all changes: a child that moves to another screen changes both orders.
            let orders = desktop.screens.indices.map(desktop.children)
            for change in changes { try take(change, orders) }
        }
        for xid in look.gone ?? [] { desktop.windows.remove(xid) }
        for facts in look.windows ?? [] { try take(facts) }
        for row in look.texts ?? [] { try take(row) }
        for row in look.surfaces ?? [] { take(row) }
        for row in look.children ?? [] { try take(row) }
        if let focus = look.focus { desktop.inputFocus = try checked(focus) }
        if let session = look.session { desktop.session = session }
    }

    private func check(_ isRight: Bool, _ fault: @autoclosure () -> String) throws(RecordingFault) {
        if !isRight { throw RecordingFault(fault()) }
    }

    private func checked(_ focus: Desktop.InputFocus) throws(RecordingFault) -> Desktop.InputFocus {
        switch focus {
        case .elsewhere(let screen), .underPointer(let screen, _):
            try check(desktop.screens.indices.contains(screen), "the focus is on screen \(screen)")
        case .none, .window: break
        }
        return focus
    }

    /// - Parameter orders: The children of each root window before the look.
    private mutating func take(_ change: ScreenChange, _ orders: [[UInt32]]) throws(RecordingFault) {
        let number = change.number
        try check(desktop.screens.indices.contains(number), "there is no screen \(number)")
        var screen = desktop.screens[number]
        if let facts = change.facts {
            try check(facts.monitors.isPlausible, "a list is too long")
            screen = facts
            screen.clients = facts.clients.map { _ in desktop.screens[number].clients ?? [] }
            screen.stacking = desktop.screens[number].stacking
        }
        if let edits = change.clients {
            // There are edits even if the list is no longer set.
            var list = desktop.screens[number].clients?.order ?? []
            for edit in edits { try edit.apply(to: &list) }
            screen.clients = screen.clients.map { _ in WindowList(list) }
        }
        for edit in change.stacking ?? [] { try edit.apply(to: &screen.stacking) }
        desktop.screens[number] = screen
        if let edits = change.children { try restack(number, orders[number], edits) }
    }

    /// Places each inserted child above its predecessor in the list. The other children keep their order.
    private mutating func restack(
        _ screen: Int, _ old: [UInt32], _ edits: [ListEdit]
    ) throws(RecordingFault) {
        var order = old
        for edit in edits {
            try edit.apply(to: &order)
            for (place, child) in zip(edit.at..., edit.inserted) {
                try check(child != 0, "a child of the root window has no id")
                if desktop.stacking.screen(of: child) != screen {
                    desktop.stacking.remove(child)
                    desktop.stacking.add(child, screen: screen)
                }
                desktop.stacking.move(child, above: place == 0 ? 0 : order[place - 1])
            }
        }
        for child in Set(old).subtracting(order).sorted() where desktop.stacking.screen(of: child) == screen {
            desktop.stacking.remove(child)
        }
    }

    private mutating func take(_ facts: WindowFacts) throws(RecordingFault) {
        try check(
            facts.screen < desktop.screens.count && facts.pid ?? 1 > 0,
            "window \(facts.id) has a screen or a process that cannot be")
        var window = SeenWindow(facts.id)
        if let known = desktop.windows[facts.id.xid], known.id == facts.id { window = known }
        window.facts = facts
        desktop.windows[facts.id.xid] = window
    }

    private mutating func take(_ row: Row<WindowText>) throws(RecordingFault) {
        let text = row.facts ?? WindowText()
        let texts = [
            text.instanceName, text.className, text.ownerClass, text.executable, text.title, text.role,
            text.monitor, text.desktopName,
        ]
        try check(texts.allSatisfy { ($0 ?? "").isPlausible }, "a text is too long")
        guard let slot = desktop.windows.slot(of: row.window) else {
            throw RecordingFault("window \(WindowID(row.window)) is not known")
        }
        desktop.windows.rename(slot) { $0 = text }
    }

    private mutating func take(_ row: Row<Surface>) {
        desktop.surfaces[row.window] = row.facts
    }

    private mutating func take(_ row: Row<ChildFacts>) throws(RecordingFault) {
        guard let facts = row.facts, let slot = desktop.stacking.slot(of: row.window) else {
            throw RecordingFault("child \(WindowID(row.window)) of the root window is not known")
        }
        desktop.stacking[at: slot].place = facts.place
        desktop.stacking[at: slot].isMapped = facts.isMapped
    }
}

/// No property is read beyond this length.
extension String {
    fileprivate var isPlausible: Bool { utf8.count <= 1 << 16 }
}

extension [Rectangle]? {
    fileprivate var isPlausible: Bool { self?.count ?? 0 <= 1000 }
}
