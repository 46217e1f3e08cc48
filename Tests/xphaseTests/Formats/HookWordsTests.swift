import PhaseWatch
import Scenes
import Testing

@testable import Console
@testable import Hooks
@testable import xphase

/// The descriptions of hooks in words.
@Suite struct HookWordsTests {
    private static func words(
        _ reaction: Hook.Reaction = .run(.arguments(["playerctl", "pause"])),
        _ change: (inout Hook) -> Void = { _ in }
    ) -> [String] {
        var hook = Hook(name: "h", reaction: reaction)
        change(&hook)
        return hook.inWords
    }

    private static func patterns(_ globs: String...) -> [Pattern] { globs.map(Pattern.init) }

    @Test func whatIsBuiltInIsAWord() {
        func words(_ builtIn: BuiltIn, cap: String? = nil, except: [String]? = nil) -> [String] {
            var pair = Hook.Pair(phases: [.background], builtIns: [builtIn])
            pair.cap = cap.flatMap { ProcessorCap(rawValue: $0) }
            if except != nil { pair.except = [] }
            return Self.words(.pair(pair)) { hook in
                guard except != nil else { return }
                (hook.power, hook.wake) = (.battery, Wake(interval: .seconds(180), duration: .seconds(5)))
            }
        }
        let start = "  while any application is in the background"
        #expect(words(.freeze) == ["h", start, "  do: freeze", "  except: audio, microphone, selection"])
        #expect(words(.cap, cap: "20%") == ["h", start, "  do: cap", "  cap: 20% of one processor"])
        #expect(
            words(.freeze, except: []) == [
                "h", start + ", on battery", "  do: freeze", "  wake: for 5s every 3m",
            ])
    }

    @Test func aHookReadsAsSentences() {
        let paused = Self.words { hook in
            hook.condition.application = Self.patterns("mpv", "vlc")
            (hook.condition.from, hook.condition.to) = ([.active], [.background])
            hook.condition.cause = [.desktop, .iconify]
            (hook.after, hook.timeout) = (.seconds(5), .seconds(10))
        }
        #expect(
            paused == [
                "h",
                "  when mpv or vlc goes from active to background because of iconify or desktop, and stays so for 5s",
                "  run: playerctl pause (at most 10s)",
            ])
        let pair = Hook.Pair(
            phases: [.background, .inactive], enter: .arguments(["sh", "-c", "echo $1 >> it's"]),
            leave: .shell("a && b\u{1B}"))
        let slack = Self.words(.pair(pair)) { hook in
            hook.condition.application = Self.patterns("\u{1B}[2J")
            (hook.after, hook.unless) = (.seconds(30), .arguments(["pgrep", "x"]))
        }
        // No word reaches the terminal as it is.
        #expect(
            slack == [
                "h", #"  while \e[2J is inactive or in the background, for at least 30s"#,
                "  unless pgrep x exits 0",
                #"  enter: sh -c 'echo $1 >> it'\''s' (at most 30s)"#, #"  leave: a && b\e (at most 30s)"#,
            ])
    }

    /// The condition, and its words behind `when`. A title is a step unless a phase is left.
    private static let conditions: [(change: @Sendable (inout Condition) -> Void, words: String)] = [
        ({ _ in }, "any application opens, changes its phase or closes"),
        ({ $0.to = [.active, .inactive] }, "any application becomes active or inactive"),
        (
            { ($0.initial, $0.to) = (true, [.background]) },
            "any application becomes background, or is found so at the start"
        ),
        (
            { ($0.level, $0.application, $0.from) = (.group, patterns("a"), [.active]) },
            "a group of a leaves active"
        ),
        (
            {
                ($0.level, $0.from, $0.exclude) = (.scene, [.active], patterns("d"))
                ($0.application, $0.instance) = (patterns("a", "b", "c"), patterns("g", "h"))
                ($0.title, $0.criteria.role) = (patterns("*t*"), patterns("r"))
            }, "a scene of a, b or c in group g or h but not d in the role r titled *t* leaves active"
        ), ({ $0.title = patterns("t") }, "\(titled) gets that title, opens, changes its phase or closes"),
        (
            { ($0.title, $0.to) = (patterns("t"), [.active]) },
            "\(titled) becomes active, or gets that title while it is"
        ), ({ ($0.title, $0.from) = (patterns("t"), [.active]) }, "\(titled) leaves active"),
        (
            { ($0.title, $0.to, $0.cause) = (patterns("t"), [.active], [.focus]) },
            "\(titled) becomes active because of focus"
        ), ({ ($0.title, $0.cause) = (patterns("t"), [.title]) }, "\(titled) gets that title"),
        (
            { ($0.title, $0.to, $0.cause) = (patterns("t"), [.active], [.title]) },
            "\(titled) gets that title while it is active"
        ),
    ]
    private static let titled = "a scene of any application titled t"

    @Test func aConditionSaysOfWhatAndWhichStep() {
        for (change, words) in Self.conditions {
            let real = Self.words {
                change(&$0.condition)
                if !$0.condition.title.isEmpty { $0.condition.level = .scene }
            }
            #expect(real[1] == "  when \(words)")
        }
    }
}
