import Scenes
import System

/// A reader that decodes a recording line by line, and maintains the desktop that it describes. Whatever the lines
/// contain, the desktop is one that a server could have. What reads throws `RecordingFault`, and the errors of `read`.
package struct RecordingReader {
    package let header: RecordingHeader
    package var desktop = Desktop()
    /// Whether a look had the screen.
    private var hasScreen = false
    private var lines: LineSplitter
    /// The moment of the last line, in nanoseconds since the start.
    private var last: Int64 = 0

    /// Reads the first line. `read` returns the next bytes; empty at the end.
    package init(read: @escaping () throws -> [UInt8]) throws {
        lines = LineSplitter(read: read)
        guard let line = try lines.next() else {
            throw RecordingFault(line: 1, text: "this is not a recording: it has no complete line")
        }
        header = try RecordingHeader(line)
    }

    /// Decodes the next line without applying it.
    package mutating func next() throws -> RecordedLine {
        guard let bytes = try lines.next() else {
            throw RecordingFault(line: lines.line + 1, text: "it was cut off before its last line")
        }
        let line: RecordedLine
        do { line = try RecordedLine(line: bytes) } catch { throw RecordingFault(lines.line, error) }
        try check(line.at >= last, "its time is before that of the line above")
        // At most 73 years later, and in the year 9999.
        let (seconds, nanoseconds) = (line.calendar?.seconds ?? 0, line.calendar?.nanoseconds ?? 0)
        let isPlausible =
            line.at <= 1 << 61 && 0...253_402_300_799 ~= seconds && 0..<1_000_000_000 ~= nanoseconds
        try check(isPlausible, "its time is out of range")
        last = line.at
        return line
    }

    /// Applies a look of the last line to the desktop.
    package mutating func take(_ look: Look) throws(RecordingFault) {
        if let screen = look.screen {
            try check(screen.monitors?.count ?? 0 <= 1000, "there are too many monitors")
            desktop.screen = screen
            hasScreen = true
        }
        try check(hasScreen, "the first look has no screen")
        if let order = look.order {
            try check(!order.contains(0), "a child of the root window has no id")
            try check(Set(order).count == order.count, "a child of the root window is listed twice")
            desktop.stacking.replace(with: order)
        }
        for xid in look.gone ?? [] { desktop.windows.remove(xid) }
        for window in look.windows ?? [] {
            try check(window.pid ?? 1 > 0, "window \(window.id) has an invalid process ID")
            desktop.windows[window.id.xid] = window
            desktop.stacking[window.id.xid] = nil
        }
        for child in look.children ?? [] {
            let isThere = desktop.stacking.contains(child.id.xid)
            try check(isThere, "\(child.id) is no child of the root window")
            desktop.stacking[child.id.xid] = child
        }
        // More than a server can have.
        try check(desktop.windows.slotCount <= 1_000_000, "there are too many windows")
        if let focus = look.focus { desktop.inputFocus = focus }
        if let session = look.session { desktop.session = session }
    }

    private func check(_ isRight: Bool, _ text: @autoclosure () -> String) throws(RecordingFault) {
        if !isRight { throw RecordingFault(line: lines.line, text: text()) }
    }
}

/// Splits a recording into lines while it is read. Earlier lines are not kept.
private struct LineSplitter {
    /// The maximum length of a line. Even a look at more windows than a server can have is shorter.
    private static let longest = 32 << 20

    /// Returns the next bytes; empty at the end.
    let read: () throws -> [UInt8]
    /// The number of the last returned line, from 1; 0 before the first one.
    private(set) var line = 0
    var rest: ArraySlice<UInt8> = []

    /// Returns the next line without its newline; nil at the end. An incomplete line is none.
    mutating func next() throws -> ArraySlice<UInt8>? {
        var searched = 0
        while true {
            if let end = rest.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest = rest[(end + 1)...] }
                line += 1
                return rest[..<end]
            }
            searched = rest.count
            if searched > Self.longest {
                throw RecordingFault(line: line + 1, text: "a line is longer than \(Self.longest >> 20) MiB")
            }
            let bytes = try read()
            if bytes.isEmpty { return nil }
            rest += bytes
        }
    }
}
