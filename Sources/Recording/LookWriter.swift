import Scenes
import System

/// A writer of the looks at a display. Of each look, only the changes since the previous one are written.
package struct LookWriter {
    /// The deviation from the expected calendar time beyond which the calendar time is written.
    private static let drift = Duration.milliseconds(50)

    private var header: RecordingHeader
    private let start: Int64
    private var hasHeader = false
    private var last: Desktop
    /// The children of each root window in the last look.
    private var orders: [[UInt32]]
    private var names: StandIns?
    private var titles: StandIns?
    /// A moment and its calendar time.
    private var calendar: (now: Int64, time: Timestamp)

    /// - Parameters:
    ///   - header: The names of window managers, the number of screens and the start come from the first look.
    ///   - start: The moment at which the recording begins.
    ///   - time: The calendar time of `start`.
    package init(_ header: RecordingHeader, at start: Int64, time: Timestamp) {
        self.header = header
        self.header.start = time
        self.start = start
        last = Desktop(screens: [])
        orders = []
        calendar = (start, time)
        if header.isRedacted { (names, titles) = (StandIns("name"), StandIns("title")) }
    }

    /// Writes a look.
    ///
    /// - Parameters:
    ///   - now: The moment, which must not precede the previous one.
    ///   - time: The calendar time of `now`.
    /// - Returns: A whole line, preceded by the header the first time.
    package mutating func write(
        _ desktop: Desktop, at now: Int64, time: Timestamp
    ) -> [UInt8] {
        if !hasHeader {
            header.screenCount = desktop.screens.count
            header.managers = desktop.screens.map { $0.manager.map { $0.name ?? "without a name" } ?? "" }
            last = Desktop(screens: desktop.screens.map { _ in Screen() })
            orders = desktop.screens.map { _ in [] }
        }
        defer { last = desktop }
        var look = Look()
        look.screens = screens(of: desktop)
        look.gone = last.windows.leaving(to: desktop.windows)
        addWindows(desktop.windows, to: &look)
        look.surfaces = surfaces(of: desktop.surfaces)
        look.children = children(of: desktop)
        if desktop.inputFocus != last.inputFocus { look.focus = desktop.inputFocus }
        if desktop.session != last.session { look.session = desktop.session }
        return line(at: now, time) { $0.look = look }
    }

    /// Writes a notice that does not come from a look.
    package mutating func write(_ notice: Notice, at now: Int64, time: Timestamp) -> [UInt8] {
        line(at: now, time) { $0.notice = RecordedNotice(name: notice.name, text: notice.text) }
    }

    /// Writes the end of the recording.
    package mutating func end(at now: Int64, time: Timestamp) -> [UInt8] {
        line(at: now, time) { $0.isEnd = true }
    }

    private mutating func line(
        at now: Int64, _ time: Timestamp, _ fill: (inout RecordedLine) -> Void
    ) -> [UInt8] {
        var line = RecordedLine(at: now - start)
        fill(&line)
        let expected = calendar.time + .nanoseconds(now - calendar.now)
        if !(expected + (.zero - Self.drift)...expected + Self.drift).contains(time) {
            calendar = (now, time)
            line.calendar = time
        }
        defer { hasHeader = true }
        return (hasHeader ? [] : header.line) + LineCoding.bytes(line)
    }

    private mutating func screens(of desktop: Desktop) -> [ScreenChange]? {
        let old = orders
        orders = desktop.screens.indices.map(desktop.children)
        return desktop.screens.indices.compactMap { number in
            let (screen, known) = (desktop.screens[number], last.screens[number])
            let change = ScreenChange(
                number: number, facts: screen.withoutLists == known.withoutLists ? nil : screen.withoutLists,
                clients: ListEdit.edits(from: known.clients?.order ?? [], to: screen.clients?.order ?? []),
                stacking: ListEdit.edits(from: known.stacking, to: screen.stacking),
                children: ListEdit.edits(from: old[number], to: orders[number]))
            return change.isEmpty ? nil : change
        }.unlessEmpty
    }

    private mutating func addWindows(_ windows: WindowTable, to look: inout Look) {
        var (changed, texts): ([WindowFacts], [Row<WindowText>]) = ([], [])
        for slot in windows.usedSlots.sorted() {
            guard let new = windows[windows.facts[slot].id.xid] else { continue }
            let known = last.windows[new.id.xid]
            let old = known?.id == new.id ? known : nil
            if new.facts != old?.facts { changed.append(new.facts) }
            if new.text != old?.text ?? WindowText() {
                texts.append(Row(window: new.id.xid, facts: redacted(new.text)))
            }
        }
        (look.windows, look.texts) = (changed.unlessEmpty, texts.unlessEmpty)
    }

    private mutating func redacted(_ text: WindowText) -> WindowText {
        var text = text
        text.instanceName = names?.standIn(for: text.instanceName) ?? text.instanceName
        text.className = names?.standIn(for: text.className) ?? text.className
        text.ownerClass = names?.standIn(for: text.ownerClass) ?? text.ownerClass
        text.executable = names?.standIn(for: text.executable) ?? text.executable
        text.role = names?.standIn(for: text.role) ?? text.role
        text.desktopName = names?.standIn(for: text.desktopName) ?? text.desktopName
        text.title = titles?.standIn(for: text.title) ?? text.title
        return text
    }

    private func surfaces(of surfaces: [UInt32: Surface]) -> [Row<Surface>]? {
        let gone = last.surfaces.keys.filter { surfaces[$0] == nil }
        let changed = surfaces.keys.filter { surfaces[$0] != last.surfaces[$0] }
        return (gone + changed).sorted().map { Row(window: $0, facts: surfaces[$0]) }.unlessEmpty
    }

    /// Must be called after `screens(of:)`, which updates the children.
    private func children(of desktop: Desktop) -> [Row<ChildFacts>]? {
        orders.joined().compactMap { xid in
            let facts = desktop.childFacts(of: xid)
            let isSame = desktop.stacking.screen(of: xid) == last.stacking.screen(of: xid)
            let old = isSame ? last.childFacts(of: xid) : ChildFacts()
            return facts == old ? nil : Row(window: xid, facts: facts)
        }.unlessEmpty
    }
}

extension Screen {
    fileprivate var withoutLists: Screen {
        var screen = self
        (screen.clients, screen.stacking) = (clients.map { _ in [] }, [])
        return screen
    }
}

extension ScreenChange {
    fileprivate var isEmpty: Bool { facts == nil && clients == nil && stacking == nil && children == nil }
}

extension Array {
    fileprivate var unlessEmpty: Self? { isEmpty ? nil : self }
}

extension WindowTable {
    /// Returns the windows that are gone, including those whose id has been reused.
    fileprivate func leaving(to new: WindowTable) -> [UInt32]? {
        usedSlots.sorted().map { facts[$0].id }.filter { new.slot(of: $0) == nil }.map(\.xid).unlessEmpty
    }
}
