import Hooks
import PhaseWatch
import Testing

@testable import xphase

/// The options of a watch as options of the library.
@Suite struct OptionTests {
    @Test(arguments: [
        ("", PhaseMonitor.Options()),
        ("--policy visible --stepwise", PhaseMonitor.Options(policy: .visible, isStepwise: true)),
        ("--settle 3s", PhaseMonitor.Options(settle: .seconds(3))),
        ("--settle 0", PhaseMonitor.Options(settle: .zero)),
        ("--session lock,away", PhaseMonitor.Options(hidingStates: [.lock, .away])),
        ("--session none", PhaseMonitor.Options(hidingStates: [])),
        ("--occlusion 5s --idle 1h", PhaseMonitor.Options(occlusion: .seconds(5), idle: .seconds(3600))),
        ("--occlusion none --idle none", PhaseMonitor.Options()),
    ])
    func areThoseOfTheLibrary(_ line: String, _ options: PhaseMonitor.Options) throws {
        #expect(try Self.options(line) == options)
    }

    @Test func overrideThoseOfTheFile() throws {
        let file = PhaseMonitor.Options(
            policy: .visible, settle: .seconds(1), hidingStates: [.lock], occlusion: .seconds(2),
            idle: .seconds(3))
        #expect(try Self.options("", over: file) == file)
        let all = "--policy focus --settle 100ms --session away,lock,display-off --occlusion none --idle none"
        #expect(try Self.options(all, over: file) == PhaseMonitor.Options())
    }

    private static func options(
        _ line: String, over file: PhaseMonitor.Options = .init()
    ) throws -> PhaseMonitor.Options {
        var options = file
        try RuleOptions.parse(line.split(separator: " ").map(String.init)).apply(to: &options)
        return options
    }
}
