import Recording
import Scenes
import System

/// Reports the changes that a watcher would have reported from the recorded display, under any policy and with any
/// delays. It needs no display and has no clock: a timer expires exactly when it was set to, so the same recording
/// always gives the same lines.
package final class Replay {
    /// The changes that settled at one time.
    package struct Moment {
        package let events: [Event]
        package let time: Timestamp
    }

    /// How long a freeze waits for the full read before it ends without it.
    private static let timeForReread: Int64 = 100_000_000

    private var reader: RecordingReader
    private var tracker: SceneTracker
    private let options: PhaseMonitor.Options
    /// The next line, whose time has not come yet.
    private var pending: RecordedLine?
    private var hasEnded = false
    /// When to update the tracker even if nothing was read.
    private var due: Int64?
    /// A moment, and the calendar time at that moment.
    private var calendar = (now: Int64(0), time: Timestamp(seconds: 0, nanoseconds: 0))

    /// Reads the first line. Throws `RecordingFault`, and the errors of `read`.
    ///
    /// - Parameters:
    ///   - options: How to derive phases. `options.idle` only decides whether recorded idle times count.
    ///   - read: Returns the next bytes of the recording; empty at its end.
    package init(_ options: PhaseMonitor.Options, read: @escaping () throws -> [UInt8]) throws {
        reader = try RecordingReader(read: read)
        tracker = SceneTracker(
            policy: options.policy, isStepwise: options.isStepwise, delays: options.delays,
            states: options.hidingStates)
        tracker.reportsTitles = options.details.contains(.titleChanges)
        self.options = options
    }

    /// The idle time of the recording; nil if idleness was not recorded.
    package var idle: Duration? { reader.header.idle.map { .milliseconds($0) } }

    /// Returns the next moment; nil after the end. The last one has no events.
    package func next() throws -> Moment? {
        while !hasEnded {
            let line = try pending ?? reader.next()
            pending = line
            if let due, due < line.at {
                if let moment = track(hasRead: false, at: due) { return moment }
            } else {
                pending = nil
                if let moment = try take(line) { return moment }
            }
        }
        return nil
    }

    private func take(_ line: RecordedLine) throws -> Moment? {
        if let time = line.calendar { calendar = (line.at, time) }
        if line.isEnd == true {
            hasEnded = true
            return moment([], at: line.at)
        }
        if let notice = line.notice {
            return moment([.notice(Notice(name: notice.name, text: notice.text))], at: line.at)
        }
        try reader.take(line.look ?? Look())
        reader.desktop.stacking.followsCovers = options.occlusion != nil
        if options.idle == nil { reader.desktop.session.isIdle = false }
        return track(hasRead: true, at: line.at)
    }

    private func track(hasRead: Bool, at now: Int64) -> Moment? {
        let update = tracker.update(to: reader.desktop, hasRead: hasRead, at: now)
        due = update.wantsFullRead ? now + Self.timeForReread : update.next.map { max($0, now + 1) }
        return update.events.isEmpty ? nil : moment(update.events, at: now)
    }

    private func moment(_ events: [Event], at now: Int64) -> Moment {
        Moment(events: events, time: calendar.time + .nanoseconds(now - calendar.now))
    }
}
