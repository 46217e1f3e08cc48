import Scenes
import System

/// A reader that decodes a recording line by line, and maintains the desktop that it describes. Whatever the lines
/// contain, the desktop is one that a server could have.
package struct LookReader {
    /// A hundred years, in nanoseconds.
    private static let latest: Int64 = 3_200_000_000_000_000_000

    package let header: RecordingHeader
    package var desktop: Desktop
    /// The slots of the windows that the last look changed, including windows that are gone.
    package private(set) var touched: [Int32] = []
    /// The children of root windows that the last look changed.
    private var changedChildren: Set<UInt32> = []
    /// The windows in each child of a root window.
    private var framed: [UInt32: Set<UInt32>] = [:]
    /// The known window that each child of a root window is or contains.
    private var clients: [UInt32: UInt32] = [:]
    /// Whether windows, or clients of children, were added or removed.
    private var hasOtherClients = false
    private var judgedScreens: [Screen] = []
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
        touched = []
        changedChildren = []
        if let changes = look.screens {
            // Read before all changes: a child that moves to another screen changes both orders.
            let orders = desktop.screens.indices.map(desktop.children)
            for change in changes { try take(change, orders) }
        }
        for xid in look.gone ?? [] { remove(xid) }
        for facts in look.windows ?? [] { try take(facts) }
        for row in look.texts ?? [] { try take(row) }
        for row in look.surfaces ?? [] { take(row) }
        for row in look.children ?? [] { try take(row) }
        if let focus = look.focus { desktop.inputFocus = try checked(focus) }
        if let session = look.session { desktop.session = session }
        if hasOtherClients { placeClients() }
        if desktop.stacking.isJudged { judge() }
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
                    clients[child] = nil
                }
                desktop.stacking.move(child, above: place == 0 ? 0 : order[place - 1])
                changedChildren.insert(child)
            }
        }
        for child in Set(old).subtracting(order).sorted() where desktop.stacking.screen(of: child) == screen {
            desktop.stacking.remove(child)
            clients[child] = nil
            changedChildren.insert(child)
        }
    }

    private mutating func take(_ facts: WindowFacts) throws(RecordingFault) {
        try check(
            facts.screen < desktop.screens.count && facts.pid ?? 1 > 0,
            "window \(facts.id) has a screen or a process that cannot be")
        var window = SeenWindow(facts.id)
        if let known = desktop.windows[facts.id.xid], known.id == facts.id {
            window = known
        } else {
            hasOtherClients = true
        }
        leaveFrame(facts.id.xid)
        window.facts = facts
        desktop.windows[facts.id.xid] = window
        if let top = facts.topLevel {
            framed[top, default: []].insert(facts.id.xid)
            changedChildren.insert(top)
        }
        touch(facts.id.xid)
    }

    private mutating func remove(_ xid: UInt32) {
        leaveFrame(xid)
        hasOtherClients = true
        if let slot = desktop.windows.remove(xid) { touched.append(Int32(slot)) }
    }

    private mutating func leaveFrame(_ xid: UInt32) {
        guard let top = desktop.windows.facts(of: xid)?.topLevel else { return }
        framed[top]?.remove(xid)
        changedChildren.insert(top)
        if framed[top]?.isEmpty == true { framed[top] = nil }
    }

    private mutating func touch(_ xid: UInt32) {
        if let slot = desktop.windows.slot(of: xid) { touched.append(Int32(slot)) }
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
        touch(row.window)
    }

    private mutating func take(_ row: Row<Surface>) {
        desktop.surfaces[row.window] = row.facts
        changedChildren.insert(desktop.windows.facts(of: row.window)?.topLevel ?? row.window)
        touch(row.window)
    }

    private mutating func take(_ row: Row<ChildFacts>) throws(RecordingFault) {
        guard let facts = row.facts, let slot = desktop.stacking.slot(of: row.window) else {
            throw RecordingFault("child \(WindowID(row.window)) of the root window is not known")
        }
        desktop.stacking[at: slot].place = facts.place
        desktop.stacking[at: slot].isMapped = facts.isMapped
        desktop.stacking[at: slot].client = nil
        clients[row.window] = facts.client
        changedChildren.insert(row.window)
        hasOtherClients = true
    }

    /// Called after the whole look is applied: only then are all slots known, and a window that returns has another
    /// slot.
    private mutating func placeClients() {
        hasOtherClients = false
        for (child, client) in clients {
            guard let slot = desktop.stacking.slot(of: child) else { continue }
            desktop.stacking[at: slot].client = desktop.windows.slot(of: client).map { Int32($0) }
        }
    }

    /// Adds the windows whose cover may have changed to the touched ones.
    private mutating func judge() {
        let isAlike =
            judgedScreens.count == desktop.screens.count
            && zip(judgedScreens, desktop.screens).allSatisfy { $0.hasSameRuleInput(as: $1) }
        if isAlike {
            for xid in changedChildren {
                if let slot = desktop.stacking.slot(of: xid) { desktop.stacking.markChanged(Int32(slot)) }
            }
        } else {
            judgedScreens = desktop.screens
            desktop.stacking.markAllChanged()
        }
        // Includes children that have left the root window, which nothing hides any more.
        let concerned = changedChildren.union(
            desktop.judgeHiding().map { desktop.stacking.window(at: Int($0)) })
        for xid in concerned.sorted() {
            for window in (framed[xid] ?? []).union([xid]).sorted() { touch(window) }
        }
    }
}

/// No property is read beyond this length.
extension String {
    fileprivate var isPlausible: Bool { utf8.count <= 1 << 16 }
}

extension [Rectangle]? {
    fileprivate var isPlausible: Bool { self?.count ?? 0 <= 1000 }
}
