import Glibc
import Hooks
import PhaseWatch
import System

/// A hook that is run by hand: at once, for one change, whether its condition holds or not.
public struct ManualRun {
    private let hook: Hook
    private let trigger: HookTrigger
    private let present: [Change]

    /// - Parameters:
    ///   - hook: Of a pair, `enter` runs if the change leads into its phases, and else `leave`. Nothing of it is built in,
    ///     since there would be nobody to undo it.
    ///   - present: All that is there: the hook is told of no process but theirs.
    public init(_ hook: Hook, for change: Change, among present: [Change], time: Timestamp) {
        self.present = present
        trigger = HookTrigger(change: change, time: time)
        var part = Job.Part.run
        if case .pair(let pair) = hook.reaction {
            part = change.to.map(pair.phases.contains) ?? false ? .enter : .leave
        }
        var single = hook
        if let program = hook.program(of: part) {
            single.reaction = .run(program)
        }
        single.after = .zero
        single.unless = part == .leave ? nil : hook.unless
        single.condition = Condition()
        single.condition.level = change.level
        self.hook = single
    }

    /// Waits for the end; SIGINT and SIGTERM end the hook.
    ///
    /// - Returns: Whether it ended as it should, be it by a veto.
    /// - Throws: `SystemError`.
    public func run(_ context: HookContext) throws(SystemError) -> Bool {
        let loop = try EventLoop(display: -1, output: nil)
        let performer = HookPerformer([hook], context, record: nil, loop: loop)
        performer.note(present + [trigger.change])
        performer.take(.changes([trigger]))
        while performer.isBusy {
            if try performer.turn() { performer.close() }
        }
        context.end()
        return !performer.engine.hasFailures
    }
}
