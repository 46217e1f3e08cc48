import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Recording
@testable import Scenes

/// The replay of a recording reports the same events at the same moments as the recorded desktop.
@Suite struct RecordedWalkTests {
    /// The number of steps of each walk. `XPHASE_WALK_STEPS=20000` makes 100,000 under each policy.
    private static let stepCount = getenv("XPHASE_WALK_STEPS").flatMap { Int(String(cString: $0)) } ?? 1_000

    /// The events reported at one moment.
    private struct Reported: Equatable {
        var moment: Duration
        var events: [Event]

        var text: String {
            let words = events.map { event in
                switch event {
                case .notice(let notice): notice.text
                case .change(let change):
                    "\(change.level) \(change.application) \(change.group ?? "") \(change.from?.rawValue ?? "") "
                        + "\(change.to?.rawValue ?? "") \(change.cause) \(change.held ?? .zero)"
                }
            }
            return "\(moment): \(words.joined(separator: ", "))"
        }
    }

    @Test(arguments: PhasePolicy.allCases, 1...5)
    func aReplayReportsWhatTheDesktopDid(policy: PhasePolicy, seed: Int) throws {
        let isOccluding = seed % 2 == 0
        let options = PhaseMonitor.Options(
            policy: policy, isStepwise: seed == 3, settle: .milliseconds(seed == 4 ? 0 : 100),
            occlusion: isOccluding ? .milliseconds(300) : nil, idle: .seconds(1),
            details: seed == 5 ? [] : .titleChanges)
        var source = RandomDesktop(seed: UInt64(seed) &+ 100, hasDialogs: seed == 5)
        source.desktop.stacking.isJudged = isOccluding
        var tracker = SceneTracker(
            policy: policy, isStepwise: options.isStepwise,
            delays: Delays(settle: options.settle, occlusion: options.occlusion))
        tracker.reportsTitles = seed != 5
        var writer = LookWriter(RecordingHeader(), at: 0, time: .init(seconds: 1_000, nanoseconds: 0))
        var reported: [Reported] = []
        var bytes: [UInt8] = []
        var (now, due): (Int64, Int64?) = (0, nil)

        func track(_ reads: SceneTracker.Reads) {
            let update = tracker.update(to: &source.desktop, after: reads, at: now)
            if !update.batch.isEmpty {
                reported.append(Reported(moment: .nanoseconds(now), events: Array(update.batch)))
            }
            due = update.next.map { max($0, now + 1) }
            guard update.wantsFullRead else { return }
            // The replies take 1 ms.
            now += 1_000_000
            look(nil)
        }
        func look(_ touched: [Int32]?) {
            if isOccluding {
                source.desktop.stacking.markAllChanged()
                source.desktop.judge()
            }
            // With occlusion, every window may be affected by those above it.
            let touched = isOccluding ? nil : touched
            bytes += writer.write(
                source.desktop, touched: touched, at: now,
                time: Timestamp(seconds: 1_000, nanoseconds: 0) + .nanoseconds(now))
            track(.windows(touched))
        }

        look(nil)
        var seen = source.desktop
        for _ in 1...Self.stepCount {
            let end = now + Int64.random(in: 0..<60_000_000, using: &source.generator)
            while let moment = due, moment < end {
                now = moment
                track(.nothing)
            }
            now = max(now, end)
            for _ in 0...Int.random(in: 0..<2, using: &source.generator) { source.step() }
            source.stepAbove()
            look(source.desktop.touched(since: seen))
            seen = source.desktop
        }
        bytes += writer.end(at: now, time: Timestamp(seconds: 1_000, nanoseconds: 0) + .nanoseconds(now))

        let replayed = try replay(bytes, options)
        #expect(reported.count > Self.stepCount / 20)
        if let (one, other) = zip(reported, replayed).first(where: { $0 != $1 }) {
            Issue.record("\(one.text) is replayed as \(other.text)")
        }
        #expect(reported.count == replayed.count)
        // A day of ordinary use has a tenth of these steps.
        #expect(bytes.count < Self.stepCount * 450, "\(bytes.count / Self.stepCount) bytes a look")
    }

    private func replay(_ bytes: [UInt8], _ options: PhaseMonitor.Options) throws -> [Reported] {
        var rest = bytes[...]
        // In chunks, as a file is read.
        let replay = try Replay(options) {
            defer { rest = rest.dropFirst(5_000) }
            return Array(rest.prefix(5_000))
        }
        var reported: [Reported] = []
        while let step = try replay.next() {
            if !step.batch.isEmpty {
                reported.append(Reported(moment: step.moment, events: Array(step.batch)))
            }
        }
        return reported
    }
}

extension RandomDesktop {
    /// Changes the stacking of the windows, which are children of the root window, the window lists, or a title.
    fileprivate mutating func stepAbove() {
        let xid = UInt32.random(in: 1...7, using: &generator)
        let other = UInt32.random(in: 1...7, using: &generator)
        let size = Int32.random(in: 1...4, using: &generator) * 200
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<3 where desktop.windows[xid] != nil:
            desktop.edit(xid) { $0.topLevel = xid }
            desktop.putOnTop(xid, 0, 0, size, size)
        case 3: desktop.stacking.raise(xid)
        case 4: desktop.stacking.move(xid, above: 0)
        case 5: if xid != other { desktop.stacking.move(xid, above: other) }
        case 6: desktop.stacking.remove(xid)
        case 7: desktop.screens[0].clients = WindowList((1...7).shuffled(using: &generator))
        case 8: desktop.screens[0].stacking = (1...7).shuffled(using: &generator)
        default: desktop.edit(xid) { [size] in $0.title = "title \(size)\u{1}\"\\ü" }
        }
    }
}
