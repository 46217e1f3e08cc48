import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service

/// The options that define phases. They are not in nested groups: a debug build takes four times as long to read each
/// option of a nested group.
struct RuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which visible windows are active. (default: focus)",
            discussion: """
                focus: the one with the input focus; application: all windows of its application; visible: all, as on macOS.
                """))
    var policy: PhasePolicy?

    @Option(
        help: ArgumentHelp(
            "States that put everything in the background, or none. (default: away,lock,display-off)",
            discussion: """
                away: another virtual terminal is shown; lock: a screen locker covers the display and has the \
                keyboard; display-off: the display is blank or every monitor is off.
                """, valueName: "state,…"), completion: .commaSeparated(Set<SessionState>.words),
        transform: Arguments.words)
    var session: [[String]] = []

    @Option(
        help: ArgumentHelp(
            "A window that is covered for this time is in the background. (default: none)",
            valueName: "duration"), completion: .list(["2s", "none"]), transform: Self.limit)
    var occlusion: Limit?

    @Option(
        help: ArgumentHelp(
            "After this time without input, active becomes inactive. (default: none)",
            discussion: "Not while a program inhibits idleness or the active application plays sound.",
            valueName: "duration"), completion: .list(["5m", "none"]),
        transform: {
            let limit = try Self.limit($0)
            if limit.duration == .zero { throw CommandFailure.misuse("it must be longer than 0") }
            return limit
        })
    var idle: Limit?

    @Flag(help: "Pass through inactive between active and background.")
    var stepwise = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Print a change after it lasts this long; 0 prints every step. (default: 100ms)",
            valueName: "duration"), transform: Duration.argument)
    var settle: Duration?

    /// Overrides the settings of a configuration by the options that are given.
    func apply(to settings: inout PhaseMonitor.Options) {
        settings.settle = settle ?? settings.settle
        settings.isStepwise = stepwise
        settings.policy = policy ?? settings.policy
        settings.hidingStates = chosenStates ?? settings.hidingStates
        if let occlusion { settings.occlusion = occlusion.duration }
        if let idle { settings.idle = idle.duration }
    }

    func validate() throws { _ = try Arguments.chosen(session, "--session") as Set<SessionState>? }

    private var chosenStates: Set<SessionState>? { try? Arguments.chosen(session, "--session") }

    /// A duration, or nil for `none`. ArgumentParser does not distinguish an omitted option from nil.
    struct Limit {
        let duration: Duration?
    }

    private static func limit(_ text: String) throws -> Limit {
        if text == "none" { return Limit(duration: nil) }
        do {
            return Limit(duration: try Duration.argument(text))
        } catch {
            throw CommandFailure.misuse("\(error), or none")
        }
    }
}
