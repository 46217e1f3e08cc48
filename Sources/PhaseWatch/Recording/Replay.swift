import Recording
import Scenes
import System

/// Reports the changes that a watcher would have reported from the recorded display, under any policy and with any
/// delays. It needs no display and has no clock: a timer expires exactly when it was set to, so the same recording
/// always gives the same lines.
package final class Replay {
    /// The changes that settled at one time.
    package struct Step {
        /// The changes that a watcher would have reported.
        package let events: [Event]
        /// The calendar time.
        package let time: Timestamp
    }

    /// How long a freeze waits for the full read before it ends without it.
    private static let timeForReread: Int64 = 100_000_000

    private let read: () throws -> [UInt8]
    private var lines = LineSplitter()
    private var reader: LookReader
    private var tracker: SceneTracker
    private let ignoresIdle: Bool
    /// The next line, whose time has not come yet.
    private var pending: RecordedLine?
    private var hasEnded = false
    /// When to update the tracker even if nothing was read.
    private var due: Int64?
    /// A moment, and the calendar time at that moment.
    private var calendar: (now: Int64, time: Timestamp)

    /// Reads the first line.
    ///
    /// - Parameters:
    ///   - options: How to derive phases. The recorded idle time applies; `options.idle` only decides whether idleness
    ///     counts.
    ///   - read: Returns the next bytes of the recording; empty at its end.
    /// - Throws: `RecordingFault`, and the errors of `read`.
    package init(_ options: PhaseMonitor.Options, read: @escaping () throws -> [UInt8]) throws {
        self.read = read
        guard let line = try lines.next(read) else { throw RecordingFault.empty }
        do throws(RecordingFault) {
            reader = try LookReader(line)
        } catch {
            throw error.at(line: 1)
        }
        tracker = SceneTracker(
            policy: options.policy, isStepwise: options.isStepwise,
            delays: Delays(settle: options.settle, occlusion: options.occlusion), states: options.session)
        tracker.reportsTitles = options.details.contains(.titleChanges)
        reader.desktop.stacking.isJudged = options.occlusion != nil
        ignoresIdle = options.idle == nil
        calendar = (0, reader.header.start)
    }

    /// The idle time of the recording; nil if idleness was not recorded.
    package var idle: Duration? { reader.header.idle.map { .milliseconds($0) } }

    /// Returns the next changes; nil after the end. The last step has no events.
    ///
    /// - Throws: `RecordingFault`, and the errors of `read`. Steps that were returned before remain valid.
    package func next() throws -> Step? {
        while true {
            if pending == nil {
                if hasEnded { return nil }
                pending = try nextLine()
            }
            guard let line = pending else { return nil }
            if let due, due < line.at {
                if let step = track(hasRead: false, at: due) { return step }
            } else {
                pending = nil
                if let step = try take(line) { return step }
            }
        }
    }

    private func nextLine() throws -> RecordedLine {
        guard let bytes = try lines.next(read) else {
            throw RecordingFault.cutOff.at(line: lines.line + 1)
        }
        return try located { () throws(RecordingFault) in try reader.line(bytes) }
    }

    private func take(_ line: RecordedLine) throws -> Step? {
        if let time = line.calendar { calendar = (line.at, time) }
        if line.isEnd == true {
            hasEnded = true
            return step([], at: line.at)
        }
        if let notice = line.notice {
            return step([.notice(Notice(name: notice.name, text: notice.text))], at: line.at)
        }
        try located { () throws(RecordingFault) in try reader.take(line.look ?? Look()) }
        if ignoresIdle { reader.desktop.session.isIdle = false }
        return track(hasRead: true, at: line.at)
    }

    private func track(hasRead: Bool, at now: Int64) -> Step? {
        let update = tracker.update(to: &reader.desktop, hasRead: hasRead, at: now)
        due = update.wantsFullRead ? now + Self.timeForReread : update.next.map { max($0, now + 1) }
        return update.events.isEmpty ? nil : step(update.events, at: now)
    }

    private func step(_ events: [Event], at now: Int64) -> Step {
        Step(events: events, time: calendar.time + .nanoseconds(now - calendar.now))
    }

    private func located<Value>(_ body: () throws(RecordingFault) -> Value) throws(RecordingFault) -> Value {
        do throws(RecordingFault) {
            return try body()
        } catch {
            throw error.at(line: lines.line)
        }
    }
}

extension RecordingFault {
    fileprivate static let empty = RecordingFault("this is not a recording: the file is empty").at(line: 1)
    fileprivate static let cutOff = RecordingFault("it was cut off before its last line")
}
