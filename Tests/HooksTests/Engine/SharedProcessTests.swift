import Testing

@testable import Hooks
@testable import Scenes

/// A process with windows of several applications, here A and B.
@Suite struct SharedProcessTests {
    private static let refusal = "process 1 has windows of another application, too"

    /// Returns a timeline in which B, which is active, prevents the freeze of A.
    private static func blocked(_ others: Set<BuiltIn> = [], wake: Wake? = nil) -> EngineTimeline {
        var timeline = EngineTimeline.ofReactions(.ice("ice", others, wake: wake))
        _ = timeline.go("B", .active)
        _ = timeline.go("A", .active, .background)
        _ = timeline.end("ask ice A")
        #expect(
            timeline.answer("prepare ice A") { .refused($0, refusal, sharing: "B") } == [])
        return timeline
    }

    /// Returns a timeline in which both are frozen, B first.
    private static func frozen(wake: Wake? = nil) -> EngineTimeline {
        var timeline = blocked(wake: wake)
        #expect(timeline.go("B", .background) == ["ask ice B"])
        _ = timeline.end("ask ice B")
        _ = timeline.end("prepare ice B")
        #expect(timeline.aim("ice B", with: "A") == ["freeze ice B"])
        #expect(timeline.freeze("ice B") == ["done ice B: frozen"])
        #expect(timeline.engine.frozenApplications == ["A", "B"])
        #expect(timeline.wait(0) == ["ask ice A"])
        #expect(timeline.end("ask ice A") == ["aim ice A"])
        #expect(timeline.aim("ice A", with: "B") == ["freeze ice A"])
        #expect(timeline.freeze("ice A") == ["done ice A: frozen"])
        return timeline
    }

    @Test func theSecondOneFreezesBothWithinOneTurn() {
        let timeline = Self.frozen()
        #expect(timeline.engine.owed.map(\.holds.count) == [1, 1])
        #expect(timeline.engine.next == nil)
    }

    /// No timer runs until then.
    @Test func nobodyAsksAgainBeforeTheOtherApplicationChanges() {
        var timeline = Self.blocked()
        #expect(timeline.engine.next == nil)
        #expect(timeline.engine.fellows(of: .of("ice", "B", timeline)) == ["A"])
        #expect(timeline.go("B", nil) == [])
        #expect(timeline.engine.next == timeline.now)
        #expect(timeline.wait(0) == ["ask ice A"])
    }

    @Test func onlyAFreezeIsShared() {
        var timeline = EngineTimeline.ofReactions(.ice("ice", [.mute]))
        _ = timeline.go("A", .active, .background)
        _ = timeline.end("ask ice A")
        #expect(timeline.answer("prepare ice A") { .refused($0, Self.refusal, sharing: "B") } == [])
        #expect(timeline.engine.owed.isEmpty)
    }

    @Test func whatThawsOneThawsTheOther() {
        for application in ["A", "B"] {
            let other = application == "A" ? "B" : "A"
            var timeline = Self.frozen()
            #expect(
                timeline.handle(.wanted([application], because: .wanted))
                    == ["thaw ice \(application)", "thaw ice \(other)"])
            #expect(timeline.engine.frozenApplications.isEmpty)
            // The application was not shown after all.
            #expect(timeline.wait(10) == ["ask ice \(application)"])
            _ = timeline.end("ask ice \(application)")
            _ = timeline.aim("ice \(application)", with: other)
            _ = timeline.freeze("ice \(application)")
            #expect(timeline.wait(0) == ["ask ice \(other)"])

            timeline = Self.frozen()
            #expect(
                Set(timeline.go(application, .active)) == [
                    "thaw ice A", "thaw ice B", "undo ice \(application)",
                ])
            #expect(timeline.engine.frozenApplications.isEmpty)
            _ = timeline.end("undo ice \(application)")
            #expect(timeline.engine.owed.map(\.holds) == [[]])
            #expect(timeline.engine.next == nil)
        }
    }

    /// B is frozen; A, which shares its process, is not frozen yet.
    @Test func whatOnlySharesTheProcessThawsItToo() {
        for isSign in [true, false] {
            var timeline = Self.blocked()
            _ = timeline.go("B", .background)
            _ = timeline.end("ask ice B")
            _ = timeline.end("prepare ice B")
            _ = timeline.aim("ice B", with: "A")
            _ = timeline.freeze("ice B")
            let words =
                isSign ? timeline.handle(.wanted(["A"], because: .wanted)) : timeline.go("A", .active)
            #expect(words.first == "thaw ice B")
            #expect(timeline.engine.frozenApplications.isEmpty)
        }
    }

    /// The other application is wanted between `aim` and `freeze`.
    @Test func nothingIsFrozenOnceTheOtherApplicationIsWanted() {
        for isSign in [true, false] {
            var timeline = Self.blocked()
            _ = timeline.go("B", .background)
            _ = timeline.end("ask ice B")
            _ = timeline.end("prepare ice B")
            timeline.isDiskBusy = true
            _ = timeline.aim("ice B", with: "A")
            if isSign {
                _ = timeline.handle(.wanted(["A"], because: .wanted))
            } else {
                _ = timeline.go("A", .active)
            }
            #expect(!timeline.answerDisk().contains("freeze ice B"))
            #expect(timeline.engine.frozenApplications.isEmpty && timeline.engine.heldApplications.isEmpty)
        }
    }

    @Test func bothAreAwakeAtTheSameTime() {
        var timeline = Self.frozen(wake: Wake(interval: .seconds(180), duration: .seconds(5)))
        #expect(timeline.wait(180) == ["thaw ice A quietly", "thaw ice B quietly"])
        #expect(Set(timeline.wait(5)) == ["ask ice A", "ask ice B"])
    }

    @Test func thawAllForbidsBoth() {
        var timeline = Self.frozen()
        #expect(Set(timeline.handle(.thaw(nil))) == ["thaw ice A", "thaw ice B"])
        #expect(timeline.engine.fellows(of: .of("ice", "B", timeline)).isEmpty)
        #expect(timeline.engine.next == nil)
    }
}

extension Job {
    fileprivate static func of(_ hook: String, _ application: String, _ timeline: EngineTimeline) -> Job {
        var timeline = timeline
        return Job(
            hook: timeline.engine.hooks.first { $0.name == hook } ?? .ice(hook), part: .enter,
            trigger: timeline.trigger(application, to: .background))
    }
}

extension EngineTimeline {
    fileprivate mutating func aim(_ pair: String, with other: String) -> [String] {
        answer("aim \(pair)") { .aimed($0, .stopped([.init(pid: 1, startTicks: 1)]), sharedWith: [other]) }
    }
}
