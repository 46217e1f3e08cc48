import Hooks
import PhaseWatch
import Testing

@testable import xphase

/// The options of a watch as options of the library.
@Suite struct OptionTests {
    private static let file = PhaseMonitor.Options(
        policy: .visible, settle: .seconds(1), hidingStates: [.lock], occlusion: .seconds(2),
        idle: .seconds(3))

    /// Options of the command line override those of the file.
    @Test(arguments: [
        ("", PhaseMonitor.Options(), PhaseMonitor.Options()),
        ("--policy visible --stepwise", .init(), .init(policy: .visible, isStepwise: true)),
        ("--settle 3s", .init(), .init(settle: .seconds(3))), ("--settle 0", .init(), .init(settle: .zero)),
        ("--session lock,away", .init(), .init(hidingStates: [.lock, .away])),
        ("--session none", .init(), .init(hidingStates: [])),
        ("--occlusion 5s --idle 1h", .init(), .init(occlusion: .seconds(5), idle: .seconds(3600))),
        ("", file, file),
        (
            "--policy focus --settle 100ms --session away,lock,display-off --occlusion none --idle none",
            file, .init()
        ),
    ])
    func areThoseOfTheLibrary(
        _ line: String, over file: PhaseMonitor.Options, _ wanted: PhaseMonitor.Options
    ) throws {
        var options = file
        try RuleOptions.parse(line.split(separator: " ").map(String.init)).apply(to: &options)
        #expect(options == wanted)
    }
}
