import Glibc
import Loop
import PhaseWatch

/// A hook that is run by hand: at once, for one change, whether its condition holds or not.
public struct Trial {
    private let hook: Hook
    private let occasion: Occasion
    private let present: [Change]

    /// - Parameters:
    ///   - hook: Of a pair, `enter` runs if the change leads into its phases, and else `leave`.
    ///   - present: All that is there: the hook is told of no process but theirs.
    public init(_ hook: Hook, for change: Change, among present: [Change], time: Timestamp) {
        self.present = present
        occasion = Occasion(change: change, time: time)
        var part = Job.Part.run
        if case .pair(let phases, _, _) = hook.reaction {
            part = change.to.map(phases.contains) ?? false ? .enter : .leave
        }
        var trial = hook
        trial.reaction = .run(Job(hook: hook, part: part, occasion: occasion).program)
        trial.after = .zero
        trial.unless = part == .leave ? nil : hook.unless
        trial.condition = Condition()
        trial.condition.level = change.level
        self.hook = trial
    }

    /// Waits for the end; SIGINT and SIGTERM end the hook.
    ///
    /// - Returns: Whether it ended as it should, be it by a veto.
    /// - Throws: `SystemError`.
    public func run(_ surroundings: Surroundings) throws(SystemError) -> Bool {
        let loop = try EventLoop(display: -1, output: nil)
        let runner = HookRunner([hook], surroundings, owed: OwedLeaves(nil), loop: loop)
        runner.note(present)
        runner.take([occasion])
        while runner.isBusy {
            if try runner.turn() { runner.close() }
        }
        surroundings.end()
        return !runner.hasFailures
    }
}
