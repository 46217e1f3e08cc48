import Scenes

/// Reads a recording line by line, and keeps the desktop that it tells of.
package struct LookReader {
    /// What a line is.
    package enum Kind: Equatable {
        case look
        case notice(Notice)
        case end
    }

    package let header: RecordingHeader
    package var desktop: Desktop
    /// The slots of the windows of which the last line told anything, those of windows that are gone included.
    package private(set) var touched: [Int32] = []
    /// The children of root windows of which the last line told anything.
    private var changedChildren: Set<UInt32> = []
    /// The windows in each child of a root window.
    private var framed: [UInt32: Set<UInt32>] = [:]
    /// By the children of root windows: the known window that each is or holds.
    private var clients: [UInt32: UInt32] = [:]
    /// Windows came or went, or clients of children.
    private var hasOtherClients = false
    private var judgedScreens: [Screen] = []
    /// The moment of the last line, in nanoseconds since the start.
    private var last: Int64 = 0

    /// - Parameter line: The first line.
    package init(_ line: ArraySlice<UInt8>) throws(RecordingFault) {
        header = try RecordingHeader(line)
        desktop = Desktop(screens: (0..<header.screenCount).map { _ in Screen() })
    }

    /// The moment of a line, and what the calendar says then if that is told. Both stand at its beginning, so that the line need
    /// not be read twice.
    package func time(
        of line: ArraySlice<UInt8>
    ) throws(RecordingFault) -> (now: Int64, calendar: (seconds: Int, nanoseconds: Int)?) {
        var scanner = LineScanner(line)
        let (now, calendar) = try scanner.lineStart()
        if now < last { throw RecordingFault("its time is before that of the line above") }
        return (now, calendar)
    }

    /// Takes in a line.
    ///
    /// - Parameter now: Its moment, from `time(of:)`.
    package mutating func read(_ line: ArraySlice<UInt8>, at now: Int64) throws(RecordingFault) -> Kind {
        last = now
        touched = []
        changedChildren = []
        var kind = Kind.look
        var scanner = LineScanner(line)
        try scanner.object { scanner, key throws(RecordingFault) in
            switch key {
            case "screens":
                try scanner.list { scanner throws(RecordingFault) in try readScreen(&scanner) }
            case "windows":
                try scanner.list { scanner throws(RecordingFault) in try readWindow(&scanner) }
            case "surfaces":
                try scanner.list { scanner throws(RecordingFault) in try readSurface(&scanner) }
            case "children":
                try scanner.list { scanner throws(RecordingFault) in try readChild(&scanner) }
            case "focus":
                desktop.inputFocus = try Desktop.InputFocus(
                    scanner.integers(0...0xFFFF_FFFF, 1...3), screenCount: desktop.screens.count)
            case "session": desktop.session = try Session(&scanner, since: desktop.session)
            case "notice":
                var texts: [String] = []
                try scanner.list { scanner throws(RecordingFault) in texts.append(try scanner.text()) }
                guard texts.count == 2 else { throw RecordingFault("a notice is a name and a text") }
                kind = .notice(Notice(name: texts[0], text: texts[1]))
            case "end": if try scanner.flag() { kind = .end }
            default: try scanner.skipValue()
            }
        }
        try scanner.expectEnd()
        if hasOtherClients { placeClients() }
        if desktop.stacking.isJudged { judge() }
        return kind
    }

    /// The slot of a window is known when all of the line is, and changes when it comes anew.
    private mutating func placeClients() {
        hasOtherClients = false
        for (child, client) in clients {
            guard let slot = desktop.stacking.slot(of: child) else { continue }
            desktop.stacking[at: slot].client = desktop.windows.slot(of: client).map { Int32($0) }
        }
    }

    private mutating func readScreen(_ scanner: inout LineScanner) throws(RecordingFault) {
        var number: Int?
        try scanner.object { scanner, key throws(RecordingFault) in
            if key == "n" {
                number = try scanner.integer(0...desktop.screens.count - 1)
            } else if let number {
                if try !desktop.screens[number].read(key, &scanner) { try scanner.skipValue() }
            } else {
                throw RecordingFault("a screen does not begin with its number")
            }
        }
    }

    private mutating func readWindow(_ scanner: inout LineScanner) throws(RecordingFault) {
        var xid: UInt32?
        var window: SeenWindow?
        var isGone = false
        try scanner.object { scanner, key throws(RecordingFault) in
            guard let id = xid else {
                guard key == "id" else { throw RecordingFault("a window does not begin with its id") }
                let id = try scanner.xid()
                xid = id
                window = desktop.windows[id]
                return
            }
            switch key {
            case "new":
                if window != nil {
                    throw RecordingFault("window \(WindowID(id)) comes, but is there already")
                }
                window = SeenWindow(WindowID(id, generation: try scanner.xid()))
            case "screen":
                let screen = try scanner.integer(0...desktop.screens.count - 1)
                window = window.map { SeenWindow($0.facts.id, screen: screen) }
            case "gone": isGone = try scanner.flag()
            default:
                guard var known = window else { break }
                if try !known.facts.read(key, &scanner), try !known.text.read(key, &scanner) {
                    try scanner.skipValue()
                }
                window = known
                return
            }
        }
        guard let xid, let window else {
            throw RecordingFault("window \(xid.map { WindowID($0).description } ?? "") is not known")
        }
        take(window, isGone: isGone, xid)
    }

    private mutating func take(_ window: SeenWindow, isGone: Bool, _ xid: UInt32) {
        if let known = desktop.windows.facts(of: xid), let top = known.topLevel {
            framed[top]?.remove(xid)
            changedChildren.insert(top)
            if framed[top]?.isEmpty == true { framed[top] = nil }
        }
        if isGone {
            hasOtherClients = true
            if let slot = desktop.windows.remove(xid) { touched.append(Int32(slot)) }
            return
        }
        if desktop.windows.slot(of: xid) == nil { hasOtherClients = true }
        desktop.windows[xid] = window
        if let top = window.facts.topLevel {
            framed[top, default: []].insert(xid)
            changedChildren.insert(top)
        }
        if let slot = desktop.windows.slot(of: xid) { touched.append(Int32(slot)) }
    }

    private mutating func readSurface(_ scanner: inout LineScanner) throws(RecordingFault) {
        var xid: UInt32?
        var isGone = false
        var surface = Surface()
        try scanner.object { scanner, key throws(RecordingFault) in
            if key == "id" {
                let id = try scanner.xid()
                xid = id
                surface = desktop.surfaces[id] ?? Surface()
            } else if key == "gone" {
                isGone = try scanner.flag()
            } else if try !surface.read(key, &scanner) {
                try scanner.skipValue()
            }
        }
        guard let xid else { throw RecordingFault("a surface has no id") }
        desktop.surfaces[xid] = isGone ? nil : surface
        changedChildren.insert(desktop.windows.facts(of: xid)?.topLevel ?? xid)
        if let slot = desktop.windows.slot(of: xid) { touched.append(Int32(slot)) }
    }

    private mutating func readChild(_ scanner: inout LineScanner) throws(RecordingFault) {
        var (xid, screen, above, isGone) = (UInt32(0), Int?.none, UInt32?.none, false)
        var facts = ChildFacts()
        try scanner.object { scanner, key throws(RecordingFault) in
            switch key {
            case "id":
                xid = try scanner.xid()
                facts = desktop.childFacts(of: xid) ?? facts
                facts.client = clients[xid]
            case "screen": screen = try scanner.integer(0...desktop.screens.count - 1)
            case "above": above = try scanner.xid()
            case "gone": isGone = try scanner.flag()
            default: if try !facts.read(key, &scanner) { try scanner.skipValue() }
            }
        }
        if xid == 0 { throw RecordingFault("a child of the root window has no id") }
        changedChildren.insert(xid)
        if isGone {
            clients[xid] = nil
            return desktop.stacking.remove(xid)
        }
        if let screen {
            if desktop.stacking.slot(of: xid) != nil {
                throw RecordingFault("child \(WindowID(xid)) of the root window comes, but is there already")
            }
            desktop.stacking.add(xid, screen: screen)
        }
        guard let slot = desktop.stacking.slot(of: xid) else {
            throw RecordingFault("child \(WindowID(xid)) of the root window is not known")
        }
        if let above { desktop.stacking.move(xid, above: above) }
        desktop.stacking[at: slot].place = facts.place
        desktop.stacking[at: slot].isMapped = facts.isMapped
        desktop.stacking[at: slot].client = nil
        clients[xid] = facts.client
        hasOtherClients = true
    }

    /// Finds the windows that may be covered now or no longer, and adds them to those that were touched.
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
        // Nothing hides what has left the root window.
        let concerned = changedChildren.union(desktop.judgeHiding().map { desktop.stacking.window(at: $0) })
        for xid in concerned.sorted() {
            for window in (framed[xid] ?? []).union([xid]).sorted() {
                if let slot = desktop.windows.slot(of: window) { touched.append(Int32(slot)) }
            }
        }
    }
}
