import Recording
import Scenes
import System

/// Tells of a recording what a watch would have told, under any policy and with any delays. It needs no display and has no
/// clock: a timer goes off at the very moment that it was set to, so that the same recording gives the same lines.
public final class Replay {
    /// What became certain at one time.
    public struct Step {
        /// What a watcher would have told.
        public let batch: ChangeBatch
        /// Since the recording began, by the clock that stands still while the machine sleeps.
        public let moment: Duration
        /// The same by the calendar.
        public let time: Timestamp
    }

    /// How long what was read anew is awaited before a freeze ends without it.
    private static let timeForReread: Int64 = 100_000_000

    private let read: () throws -> [UInt8]
    private var lines = LineSplitter()
    private var reader: LookReader
    private var tracker: SceneTracker
    private let ignoresIdle: Bool
    /// The next line, its moment, and what the calendar says then if it is told.
    private var pending: (line: ArraySlice<UInt8>, now: Int64, time: Timestamp?)?
    private var hasEnded = false
    /// When the tracker is to be called though nothing was read.
    private var due: Int64?
    /// A moment, and what the calendar said then.
    private var calendar: (now: Int64, time: Timestamp)

    /// Reads the first line.
    ///
    /// - Parameters:
    ///   - options: How what was read becomes phases. Being idle counts only for the time that was recorded.
    ///   - read: Returns the next bytes of the recording, none at its end.
    /// - Throws: `RecordingFault`, and what `read` throws.
    public init(_ options: PhaseMonitor.Options, read: @escaping () throws -> [UInt8]) throws {
        self.read = read
        guard let line = try lines.next(read) else {
            throw RecordingFault.empty
        }
        do throws(RecordingFault) {
            reader = try LookReader(line)
        } catch {
            throw error.at(line: 1)
        }
        tracker = SceneTracker(
            policy: options.policy, isStepwise: options.isStepwise,
            delays: Delays(settle: options.settle, occlusion: options.occlusion), states: options.session)
        tracker.tellsTitles = options.details.contains(.titleChanges)
        reader.desktop.stacking.isJudged = options.occlusion != nil
        ignoresIdle = options.idle == nil
        let start = Timestamp(seconds: reader.header.seconds, nanoseconds: reader.header.nanoseconds)
        calendar = (0, start)
    }

    /// How long the user had to touch nothing to be idle; nil where that was not recorded.
    public var idle: Duration? { reader.header.idle.map { .milliseconds($0) } }

    /// Whether titles are in it of all windows.
    public var hasTitles: Bool { reader.header.hasTitles }

    /// What became certain next, at the end once more an empty batch; nil after that. Let the batch go before the next call.
    ///
    /// - Throws: `RecordingFault`, and what `read` throws. What came before is true all the same.
    public func next() throws -> Step? {
        while true {
            if pending == nil {
                if hasEnded { return nil }
                pending = try takeLine()
            }
            guard let pending else { return nil }
            if let due, due < pending.now {
                if let step = track(at: due, isUnchanged: true) { return step }
            } else {
                self.pending = nil
                if let time = pending.time { calendar = (pending.now, time) }
                if let step = try take(pending.line, at: pending.now) { return step }
            }
        }
    }

    private func takeLine() throws -> (ArraySlice<UInt8>, Int64, Timestamp?) {
        guard let line = try lines.next(read) else {
            throw RecordingFault.cutOff.at(line: lines.line + 1)
        }
        return try located { () throws(RecordingFault) in
            let (now, time) = try reader.time(of: line)
            return (line, now, time.map { Timestamp(seconds: $0.seconds, nanoseconds: $0.nanoseconds) })
        }
    }

    private func take(_ line: ArraySlice<UInt8>, at now: Int64) throws -> Step? {
        switch try located({ () throws(RecordingFault) in try reader.read(line, at: now) }) {
        case .look:
            if ignoresIdle { reader.desktop.session.isIdle = false }
            return track(at: now, isUnchanged: false)
        case .notice(let notice):
            return step([.notice(notice)], at: now)
        case .end:
            hasEnded = true
            return step([], at: now)
        }
    }

    private func track(at now: Int64, isUnchanged: Bool) -> Step? {
        let update = tracker.update(
            to: &reader.desktop, touched: isUnchanged ? [] : reader.touched, isUnchanged: isUnchanged, at: now
        )
        due = update.wantsFullRead ? now + Self.timeForReread : update.next.map { max($0, now + 1) }
        return update.batch.isEmpty && !update.batch.hasRefreshed ? nil : step(update.batch, at: now)
    }

    private func step(_ batch: ChangeBatch, at now: Int64) -> Step {
        let nanoseconds = Int64(calendar.time.nanoseconds) + (now - calendar.now)
        let time = Timestamp(
            seconds: calendar.time.seconds + Int(nanoseconds / 1_000_000_000),
            nanoseconds: Int(nanoseconds % 1_000_000_000))
        return Step(batch: batch, moment: .nanoseconds(now), time: time)
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
    fileprivate static let empty = RecordingFault("this is no recording: the file is empty").at(line: 1)
    fileprivate static let cutOff = RecordingFault("it was cut off before its last line")
}
