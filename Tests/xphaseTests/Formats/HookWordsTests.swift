import PhaseWatch
import Scenes
import Testing

@testable import Console
@testable import Hooks
@testable import xphase

/// The descriptions of hooks in words.
@Suite struct HookWordsTests {
    private let pause = Hook.Reaction.run(.arguments(["playerctl", "pause"]))
    private func words(
        _ reaction: Hook.Reaction, _ change: (inout Hook) -> Void = { _ in }
    ) -> [String] {
        var hook = Hook(name: "h", reaction: reaction)
        change(&hook)
        return hook.inWords
    }

    private func pair(_ builtIns: Set<BuiltIn>, _ change: (inout Hook.Pair) -> Void = { _ in })
        -> Hook.Reaction
    {
        var pair = Hook.Pair(phases: [.background], builtIns: builtIns)
        change(&pair)
        return .pair(pair)
    }

    @Test func whatIsBuiltInIsAWord() {
        let start = ["h", "  while any application is in the background, from its next change on"]
        #expect(words(pair([.freeze])) == start + ["  do: freeze", "  except: audio, microphone, selection"])
        #expect(
            words(pair([.cap]) { $0.cap = ProcessorCap(rawValue: "20%") })
                == start + ["  do: cap", "  cap: 20% of one processor"])
        let sleeper = words(pair([.freeze]) { $0.except = [] }) {
            $0.power = .battery
            $0.wake = Wake(interval: .seconds(180), duration: .seconds(5))
        }
        #expect(sleeper == ["h", start[1] + ", on battery", "  do: freeze", "  wake: for 5s every 3m"])
    }

    private func when(_ change: (inout Condition) -> Void) -> String {
        words(pause) { change(&$0.condition) }[1]
    }

    @Test func aHookReadsAsSentences() {
        let paused = words(pause) { hook in
            hook.condition.application = ["mpv", "vlc"].map(Pattern.init)
            (hook.condition.from, hook.condition.to) = ([.active], [.background])
            hook.condition.cause = [.desktop, .iconify]
            (hook.after, hook.timeout) = (.seconds(5), .seconds(10))
        }
        #expect(
            paused == [
                "h",
                "  when mpv or vlc goes from active to background because of iconify or desktop, and stays so for 5s",
                "  run: playerctl pause (time limit 10s)",
            ])
        let pair = Hook.Pair(
            phases: [.background, .inactive], enter: .arguments(["sh", "-c", "echo $1 >> it's"]),
            leave: .shell("a && b"))
        let slack = words(.pair(pair)) { hook in
            hook.condition.application = [Pattern("Slack")]
            (hook.after, hook.unless) = (.seconds(30), .arguments(["pgrep", "x"]))
        }
        #expect(
            slack == [
                "h", "  while Slack is inactive or in the background, from its next change on, for at least 30s",
                "  unless pgrep x exits 0",
                #"  enter: sh -c 'echo $1 >> it'\''s' (time limit 30s)"#, "  leave: a && b (time limit 30s)",
            ])
    }

    @Test func aConditionSaysOfWhatAndWhichStep() {
        func patterns(_ globs: String...) -> [Pattern] { globs.map(Pattern.init) }
        #expect(when { _ in } == "  when any application opens, changes its phase or closes")
        #expect(when { $0.to = [.active, .inactive] } == "  when any application becomes active or inactive")
        #expect(
            when { ($0.initial, $0.to) = (true, [.background]) }
                == "  when any application becomes background, or is found so at the start")
        #expect(
            when { ($0.level, $0.application, $0.from) = (.group, patterns("a"), [.active]) }
                == "  when a group of a leaves active")
        let scene = when {
            ($0.level, $0.from) = (.scene, [.active])
            ($0.application, $0.instance) = (patterns("a", "b", "c"), patterns("g", "h"))
            ($0.exclude, $0.title) = (patterns("d"), patterns("*t*"))
            $0.criteria.role = patterns("r")
        }
        #expect(
            scene
                == "  when a scene of a, b or c in group g or h but not d in the role r titled *t* leaves active"
        )
    }

    @Test func aTitleIsAStepUnlessAPhaseIsLeft() {
        func titled(_ change: (inout Condition) -> Void) -> String {
            when {
                ($0.level, $0.title) = (.scene, [Pattern("*t*")])
                change(&$0)
            }
        }
        let start = "  when a scene of any application titled *t* "
        #expect(titled { _ in } == start + "gets that title, opens, changes its phase or closes")
        #expect(titled { $0.to = [.active] } == start + "becomes active, or gets that title while it is")
        #expect(titled { $0.from = [.active] } == start + "leaves active")
        #expect(
            titled { ($0.to, $0.cause) = ([.active], [.focus]) } == start + "becomes active because of focus")
        #expect(titled { $0.cause = [.title] } == start + "gets that title")
        #expect(
            titled { ($0.to, $0.cause) = ([.active], [.title]) } == start
                + "gets that title while it is active")
    }

    @Test func noWordReachesTheTerminalAsItIs() {
        let words = words(.run(.shell("a\nb\u{1B}"))) {
            $0.condition.application = [Pattern("\u{1B}[2J")]
        }
        #expect(words[1].hasPrefix(#"  when \e[2J opens"#))
        #expect(words[2] == #"  run: a\nb\e (time limit 30s)"#)
    }
}
