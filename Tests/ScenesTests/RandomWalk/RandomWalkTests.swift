import Testing

@testable import Scenes

/// A random walk: its seed and the options of the tracker.
struct RandomWalk: Sendable, CustomTestStringConvertible {
    var seed: UInt64
    var policy = PhasePolicy.focus
    var isStepwise = false
    var settle = 100
    var hasDialogs = false

    var testDescription: String {
        "seed \(seed), \(policy), settle \(settle)"
            + (isStepwise ? ", stepwise" : "") + (hasDialogs ? ", dialogs" : "")
    }

    static let all =
        (1...6).map { RandomWalk(seed: $0) }
        + [
            RandomWalk(seed: 7, settle: 0), RandomWalk(seed: 8, isStepwise: true),
            RandomWalk(seed: 9, isStepwise: true, settle: 0), RandomWalk(seed: 10, settle: 700),
            RandomWalk(seed: 11, policy: .application), RandomWalk(seed: 12, policy: .visible),
            RandomWalk(seed: 13, policy: .visible, isStepwise: true),
            RandomWalk(seed: 14, hasDialogs: true), RandomWalk(seed: 15, hasDialogs: true),
            RandomWalk(seed: 16, policy: .application, hasDialogs: true),
        ]
}

@Suite struct RandomWalkTests {
    @Test(arguments: RandomWalk.all)
    func theLinesAreTrueAndWithoutGaps(_ walk: RandomWalk) {
        var source = RandomDesktop(seed: walk.seed, hasDialogs: walk.hasDialogs)
        var tracker = SceneTracker(
            policy: walk.policy, isStepwise: walk.isStepwise,
            delays: Delays(settle: .milliseconds(walk.settle)))
        var reader = Reader(isExclusive: walk.policy == .focus && !walk.hasDialogs)
        var now: Int64 = 100_000_000_000
        var wake: Int64?
        var reported = 0
        var looksInARow = 0

        func look(hasRead: Bool = true) {
            var update = tracker.update(to: source.desktop, hasRead: hasRead, at: now)
            reader.read(update.events.filter { $0.change?.kind != .facts })
            reported += update.events.count
            if update.wantsFullRead {
                update = tracker.update(to: source.desktop, at: now)
                reader.read(update.events.filter { $0.change?.kind != .facts })
                #expect(!update.wantsFullRead)
            }
            looksInARow = update.next.map { $0 <= now } ?? false ? looksInARow + 1 : 0
            wake = update.next
            if looksInARow > Timeline.mostLooksInARow {
                Issue.record("it wants to look again and again")
                wake = nil
            }
        }
        func wait(_ milliseconds: Int) {
            let end = now + Int64(milliseconds) * 1_000_000
            while let moment = wake, moment <= end {
                now = moment
                look()
            }
            now = end
        }

        look()
        for step in 1...4_000 {
            source.step()
            look()
            let longest = source.generator.next() % 8 == 0 ? 400 : 30
            wait(Int(source.generator.next() % UInt64(longest)))
            guard step % 200 == 0 else { continue }
            wait(10_000)
            #expect(wake == nil)
            let isKept = reader.isLocked && source.desktop.keepsLock
            #expect(reader.scenes == source.desktop.shownScenes(under: walk.policy, isKept: isKept))
        }
        #expect(reported > 1_000)
        #expect(reader.faults.prefix(3) == [])
    }
}

extension Desktop {
    /// Whether a lock lasts once it was reported, even if windows are above it.
    fileprivate var keepsLock: Bool { mayBeLocked && windows.facts(of: 0xF000)?.mapState == .viewable }

    /// Returns the expected report of each scene after everything has settled.
    ///
    /// - Parameter isKept: Whether a reported lock lasts.
    fileprivate func shownScenes(under policy: PhasePolicy, isKept: Bool) -> [SubjectID: ScenePhase] {
        let isHidden = session.isAway || session.displayOff != nil || lock != nil || isKept
        let cap: ScenePhase = isHidden ? .background : session.isIdle ? .inactive : .active
        let scenes = foundScenes(under: policy).map { id, reading in
            let (name, phase) = (reading.group, reading.phase ?? .background)
            return (
                SubjectID(application: name.application, group: name.group, scene: id), min(phase, cap)
            )
        }
        return Dictionary(uniqueKeysWithValues: scenes)
    }
}
