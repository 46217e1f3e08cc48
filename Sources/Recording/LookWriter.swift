import Scenes

/// Writes what is read of a display, look by look: of each only what is new since the one before.
package struct LookWriter {
    /// How far the clock of the calendar may be from where it should be until that is written.
    private static let drift = 50_000_000

    private var header: RecordingHeader
    private let start: Int64
    private var hasHeader = false
    private var last: Desktop
    private var orders: [[UInt32]]
    private var names: StandIns?
    private var titles: StandIns?
    /// How far the clock of the calendar is ahead of the moments, in nanoseconds.
    private var offset: Int

    /// - Parameters:
    ///   - header: What the window managers are called, how many screens there are and when it begins comes from the first look.
    ///   - start: The moment at which it begins.
    ///   - time: The same by the calendar, in seconds since 1970 and nanoseconds.
    package init(_ header: RecordingHeader, at start: Int64, time: (seconds: Int, nanoseconds: Int)) {
        self.header = header
        self.start = start
        (self.header.seconds, self.header.nanoseconds) = time
        last = Desktop(screens: [])
        orders = []
        offset = Self.offset(of: time, at: start)
        if header.isRedacted { (names, titles) = (StandIns("name"), StandIns("title")) }
    }

    /// Writes what was read.
    ///
    /// - Parameters:
    ///   - touched: The slots of the windows of which anything was read; nil for all of them.
    ///   - now: The moment, which is not before the last one.
    ///   - time: The same by the calendar.
    /// - Returns: A whole line, behind the header the first time.
    package mutating func write(
        _ desktop: Desktop, touched: [Int32]?, at now: Int64, time: (seconds: Int, nanoseconds: Int)
    ) -> [UInt8] {
        if !hasHeader {
            header.screenCount = desktop.screens.count
            header.managers = desktop.screens.map { $0.manager.map { $0.name ?? "without a name" } ?? "" }
            last = Desktop(screens: desktop.screens.map { _ in Screen() })
            orders = desktop.screens.map { _ in [] }
        }
        defer { last = desktop }
        var text = LineText()
        let start = start(at: now, time)
        text.object { text in
            start.write(to: &text)
            writeScreens(of: desktop, &text)
            writeWindows(of: desktop, touched, &text)
            writeSurfaces(of: desktop, &text)
            writeChildren(of: desktop, &text)
            if desktop.inputFocus != last.inputFocus { text.add("focus", desktop.inputFocus.numbers) }
            text.object("session") { desktop.session.write(to: &$0, since: last.session) }
        }
        return start.head + text.end()
    }

    /// Writes a notice that comes from no look.
    package mutating func write(
        _ notice: Notice, at now: Int64, time: (seconds: Int, nanoseconds: Int)
    ) -> [UInt8] {
        var text = LineText()
        let start = start(at: now, time)
        text.object { text in
            start.write(to: &text)
            text.add("notice", [notice.name, notice.text])
        }
        return start.head + text.end()
    }

    /// Writes that the recording ends here.
    package mutating func end(at now: Int64, time: (seconds: Int, nanoseconds: Int)) -> [UInt8] {
        var text = LineText()
        let start = start(at: now, time)
        text.object { text in
            start.write(to: &text)
            text.add("end", true)
        }
        return start.head + text.end()
    }

    /// What a line begins with.
    private struct Start {
        /// The line before it, if it is the first.
        var head: [UInt8]
        let moment: Int64
        /// nil where the calendar goes as it did.
        var time: (seconds: Int, nanoseconds: Int)?

        func write(to text: inout LineText) {
            text.add("t", Int(moment))
            if let time { text.add("time", [time.seconds, time.nanoseconds]) }
        }
    }

    private mutating func start(at now: Int64, _ time: (seconds: Int, nanoseconds: Int)) -> Start {
        var line = Start(head: hasHeader ? [] : header.line(), moment: now - start)
        hasHeader = true
        let offset = Self.offset(of: time, at: now)
        if abs(offset - self.offset) > Self.drift {
            self.offset = offset
            line.time = time
        }
        return line
    }

    private static func offset(of time: (seconds: Int, nanoseconds: Int), at now: Int64) -> Int {
        time.seconds * 1_000_000_000 + time.nanoseconds - Int(now)
    }

    private func writeScreens(of desktop: Desktop, _ text: inout LineText) {
        if desktop.screens == last.screens { return }
        text.list("screens") { text in
            for (number, screen) in desktop.screens.enumerated() where screen != last.screens[number] {
                text.object { text in
                    text.add("n", number)
                    screen.write(to: &text, since: last.screens[number])
                }
            }
        }
    }

    private mutating func writeWindows(of desktop: Desktop, _ touched: [Int32]?, _ text: inout LineText) {
        let slots = touched ?? Array(0..<Int32(desktop.windows.slotCount))
        text.list("windows") { text in
            // An id that is used again is gone first.
            for window in last.windows.leaving(slots, to: desktop.windows) {
                text.object { text in
                    text.add("id", Int(window))
                    text.add("gone", true)
                }
            }
            var written: Set<Int32> = []
            for slot in slots where written.insert(slot).inserted {
                writeWindow(in: Int(slot), of: desktop.windows, &text)
            }
        }
    }

    private mutating func writeWindow(in slot: Int, of windows: WindowTable, _ text: inout LineText) {
        let facts = windows.facts[slot]
        if facts.isGone { return }
        let old = last.windows.present(in: slot, as: facts.id)
        let (new, known) = (windows.text(slot), old == nil ? WindowText() : last.windows.text(slot))
        if old == facts && new == known { return }
        text.object { text in
            text.add("id", Int(facts.id.xid))
            if old == nil {
                text.add("new", Int(facts.id.generation))
                text.add("screen", facts.screen, was: 0)
            }
            facts.write(to: &text, since: old ?? WindowFacts(facts.id, screen: facts.screen))
            if new == known { return }
            redacted(new).write(to: &text, since: redacted(known))
        }
    }

    private mutating func redacted(_ text: WindowText) -> WindowText {
        var text = text
        text.instanceName = names?.standIn(for: text.instanceName) ?? text.instanceName
        text.className = names?.standIn(for: text.className) ?? text.className
        text.executable = names?.standIn(for: text.executable) ?? text.executable
        text.title = titles?.standIn(for: text.title) ?? text.title
        return text
    }

    private func writeSurfaces(of desktop: Desktop, _ text: inout LineText) {
        text.list("surfaces") { text in
            for xid in last.surfaces.keys.filter({ desktop.surfaces[$0] == nil }).sorted() {
                text.object { text in
                    text.add("id", Int(xid))
                    text.add("gone", true)
                }
            }
            for xid in desktop.surfaces.keys.filter({ desktop.surfaces[$0] != last.surfaces[$0] }).sorted() {
                text.object { text in
                    text.add("id", Int(xid))
                    desktop.surfaces[xid]?.write(to: &text, since: last.surfaces[xid] ?? Surface())
                }
            }
        }
    }

    private mutating func writeChildren(of desktop: Desktop, _ text: inout LineText) {
        let old = orders
        orders = desktop.screens.indices.map { screen in
            desktop.stacking.fromTop(screen).map { desktop.stacking.window(at: $0) }.reversed()
        }
        text.list("children") { text in
            for (screen, order) in old.enumerated() {
                for xid in order where desktop.stacking.screen(of: xid) != screen {
                    text.object { text in
                        text.add("id", Int(xid))
                        text.add("gone", true)
                    }
                }
            }
            for (screen, order) in orders.enumerated() {
                let moves = Restacking(from: old[screen], to: order)
                for (place, xid) in order.enumerated() {
                    let below = moves.isPut[place] ? (place == 0 ? 0 : order[place - 1]) : nil
                    writeChild(xid, screen, above: below, of: desktop, &text)
                }
            }
        }
    }

    private func writeChild(
        _ xid: UInt32, _ screen: Int, above: UInt32?, of desktop: Desktop, _ text: inout LineText
    ) {
        guard let new = desktop.childFacts(of: xid) else { return }
        let isKnown = last.stacking.screen(of: xid) == screen
        let old = isKnown ? last.childFacts(of: xid) : nil
        if above == nil && new == old { return }
        text.object { text in
            text.add("id", Int(xid))
            if old == nil { text.add("screen", screen) }
            if let above { text.add("above", Int(above)) }
            new.write(to: &text, since: old ?? ChildFacts())
        }
    }
}

extension WindowTable {
    /// The windows that are gone from some slots, or whose slots others have by now.
    fileprivate func leaving(_ slots: [Int32], to new: WindowTable) -> [UInt32] {
        var found: [UInt32] = []
        for slot in Set(slots).sorted() where slot < slotCount && !facts[Int(slot)].isGone {
            let (old, now) = (facts[Int(slot)], new.facts[Int(slot)])
            if now.isGone || now.id != old.id { found.append(old.id.xid) }
        }
        return found
    }

    /// What is known of the window in a slot, if it is this one.
    fileprivate func present(in slot: Int, as id: WindowID) -> WindowFacts? {
        guard slot < slotCount, !facts[slot].isGone, facts[slot].id == id else { return nil }
        return facts[slot]
    }
}
