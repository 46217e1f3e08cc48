import Testing

@testable import Hooks
@testable import PhaseWatch

/// Hooks of modes, which act on other applications while an application is in the phases of the mode.
@Suite struct ModeTests {
    private static func mode(_ text: String = "") throws -> Hook {
        let mode = """
            [[mode]]
            name = 'game'
            application = 'Game'
            while = 'active'
            others = ['A', 'B']
            do = 'slow'

            """
        return try #require(Configuration(text: mode + text, file: "config.toml").hooks.first)
    }

    private static func timeline(_ hook: Hook) -> EngineTimeline { .ofReactions(hook) }

    @Test func othersAreLeftAloneUntilTheModeIsOn() throws {
        var timeline = Self.timeline(try Self.mode())
        #expect(timeline.go("A", .inactive).isEmpty)
        #expect(timeline.go("Game", .inactive).isEmpty)
        #expect(timeline.go("Game", .active) == ["prepare game A"])
        // Applies to B, which appears later, but not to C, which is not listed.
        #expect(timeline.go("B", .background) == ["prepare game B"])
        #expect(timeline.go("C", .background).isEmpty)
    }

    @Test func whatTheModeHasDoneIsUndoneWithIt() throws {
        var timeline = EngineTimeline(try Self.mode())
        _ = timeline.go("A", .background)
        _ = timeline.go("Game", .active)
        #expect(timeline.engine.isOff(try Self.mode()) == false)
        #expect(timeline.engine.resting.isEmpty)
        _ = timeline.go("Game", .inactive)
        #expect(timeline.engine.resting == ["game"])
        #expect(timeline.engine.status(own: { _ in nil }, describe: { _, _, _ in }).first?.state == .off)
        _ = timeline.go("Game", .active)
        #expect(timeline.engine.resting.isEmpty)
        _ = timeline.go("Game", nil)
        #expect(timeline.engine.resting == ["game"])
    }

    @Test func aModeIsOnAsLongAsOneApplicationKeepsItOn() throws {
        var timeline = EngineTimeline(try Self.mode())
        timeline.engine.hooks[0].mode?.criteria.application = [Pattern("Game*")]
        _ = timeline.go("Game", .active)
        _ = timeline.go("Game2", .active)
        _ = timeline.go("Game", .background)
        #expect(timeline.engine.resting.isEmpty)
        _ = timeline.go("Game2", .background)
        #expect(timeline.engine.resting == ["game"])
    }

    /// The mode does not end a pause, and the end of a pause does not turn the mode on.
    @Test func aPauseAndAModeAreIndependent() throws {
        var timeline = EngineTimeline(try Self.mode())
        _ = timeline.suspend("game")
        _ = timeline.go("Game", .active)
        #expect(timeline.engine.resting == ["game"])
        _ = timeline.suspend()
        #expect(timeline.engine.resting.isEmpty)
        _ = timeline.go("Game", .background)
        _ = timeline.suspend("game")
        _ = timeline.suspend()
        #expect(timeline.engine.resting == ["game"])
    }

    /// A mode that a reload changes is off until the present applications are reported. An unchanged mode stays on.
    @Test func aReloadKeepsTheModesThatAreTheSame() throws {
        let hook = try Self.mode()
        var timeline = EngineTimeline(hook)
        _ = timeline.go("Game", .active)
        _ = timeline.replace(hook)
        #expect(timeline.engine.resting.isEmpty)
        var other = hook
        other.mode?.phases = [.active, .inactive]
        _ = timeline.replace(other)
        #expect(timeline.engine.resting == ["game"])
        let present = timeline.trigger("Game", to: .active)
        _ = timeline.handle(.changes([present], only: ["game"]))
        #expect(timeline.engine.resting.isEmpty)
    }

    @Test func whatIsFrozenHasNotTheFocusAndIsSeenOnlyWhereItIsNamed() throws {
        func phases(_ others: String) throws -> Set<ScenePhase>? {
            let text = """
                [[mode]]
                name = 'game'
                application = 'Game'
                while = ['active', 'inactive']
                others = \(others)
                do = ['freeze', 'mute']
                """
            let hook = try #require(Configuration(text: text, file: "config.toml").hooks.first)
            #expect(hook.condition.criteria.exclude == [Pattern("Game")])
            return hook.phases
        }
        #expect(try phases("'Slack'") == [.inactive, .background])
        #expect(try phases("['Slack', 'disc*']") == [.background])
    }
}
