import Scenes
import System

/// Writes a recording of everything that is read from a display. Of each look, only what changed since the previous
/// one is written.
package final class Recorder {
    /// The deviation from the expected calendar time beyond which the calendar time is written.
    private static let drift = Duration.milliseconds(50)

    private let isRedacted: Bool
    private let start: Int64
    private let write: ([UInt8]) -> Void
    private var last = Desktop()
    /// A moment and its calendar time; nil before the first line.
    private var calendar: (at: Int64, time: Timestamp)?

    /// - Parameter write: Receives whole lines.
    package init(
        _ header: RecordingHeader, at start: Int64 = Clock.nanoseconds(),
        into write: @escaping ([UInt8]) -> Void
    ) {
        (isRedacted, self.start, self.write) = (header.isRedacted, start, write)
        write(FirstLine(header: header).line)
    }

    /// Writes a look at a moment, which must not precede the previous one, and has this calendar time.
    package func take(_ desktop: Desktop, at now: Int64, time: Timestamp = .now()) {
        write(RecordedLine(at: now - start, look: look(at: desktop)), time)
        last = desktop
    }

    /// Writes a notice that does not come from a look.
    package func take(_ notice: Notice, at now: Int64 = Clock.nanoseconds(), time: Timestamp = .now()) {
        write(RecordedLine(at: now - start, notice: .init(name: notice.name, text: notice.text)), time)
    }

    /// Writes the end of the recording.
    package func end(at now: Int64 = Clock.nanoseconds(), time: Timestamp = .now()) {
        write(RecordedLine(at: now - start, isEnd: true), time)
    }

    private func write(_ line: RecordedLine, _ time: Timestamp) {
        var line = line
        let expected = calendar.map { $0.time + .nanoseconds(line.at - $0.at) }
        if expected.map({ $0 + (.zero - Self.drift)...$0 + Self.drift ~= time }) != true {
            calendar = (line.at, time)
            line.calendar = time
        }
        write(line.line)
    }

    private func look(at desktop: Desktop) -> Look {
        var look = Look()
        // The first look has the screen in any case.
        if desktop.screen != last.screen || calendar == nil { look.screen = desktop.screen }
        let stacking = desktop.stacking
        if stacking.order != last.stacking.order { look.order = stacking.order }
        look.children =
            stacking.order.filter { desktop.windows.slot(of: $0) == nil }.compactMap { stacking[$0] }
            .filter { last.stacking[$0.id.xid] != $0 }.unlessEmpty
        // Including the windows whose id has been reused.
        look.gone = last.windows.ids.filter { desktop.windows.slot(of: $0) == nil }.map(\.xid).unlessEmpty
        look.windows =
            desktop.windows.ids.compactMap { desktop.windows[$0.xid] }
            .filter { last.windows[$0.id.xid] != $0 }.map(redacted).unlessEmpty
        if desktop.inputFocus != last.inputFocus { look.focus = desktop.inputFocus }
        if desktop.session != last.session { look.session = desktop.session }
        return look
    }

    private func redacted(_ window: SeenWindow) -> SeenWindow {
        guard isRedacted else { return window }
        // Hash values have a random seed in each process. Thus the text cannot be found by hashing likely ones.
        func placeholder(_ word: String, _ text: String?) -> String? {
            text.map { "\(word)-\(String(UInt(bitPattern: $0.hashValue), radix: 16))" }
        }
        let names: [WritableKeyPath<WindowText, String?>] = [
            \.instanceName, \.className, \.ownerClass, \.executable, \.role, \.desktopName,
        ]
        var window = window
        for name in names { window.text[keyPath: name] = placeholder("name", window.text[keyPath: name]) }
        window.text.title = placeholder("title", window.text.title)
        return window
    }
}

extension WindowTable {
    /// The IDs of all windows by slot, so that a reader uses slots in the same order.
    fileprivate var ids: [WindowID] { usedSlots.sorted().map { facts[$0].id } }
}

extension Array {
    fileprivate var unlessEmpty: Self? { isEmpty ? nil : self }
}
