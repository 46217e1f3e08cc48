import Glibc
import Hooks
import PhaseWatch
import System

extension Hook {
    /// Runs it by hand: at once, for one change, whether its condition holds or not. Waits for the end; SIGINT and SIGTERM end
    /// the program.
    ///
    /// Of a pair, `enter` runs if the change leads into its phases, and else `leave`. Nothing of it is built in, since there
    /// would be nobody to undo it.
    ///
    /// - Parameter present: All that is there: the hook is reported of no process but theirs.
    /// - Returns: Whether it ended as it should, be it by a veto.
    public func runByHand(
        for change: Change, among present: [Change], _ context: HookContext
    ) throws(SystemError) -> Bool {
        var part = Job.Part.run
        if case .pair(let pair) = reaction {
            part = change.to.map(pair.phases.contains) ?? false ? .enter : .leave
        }
        var single = self
        if let program = program(of: part) { single.reaction = .run(program) }
        single.after = .zero
        single.unless = part == .leave ? nil : unless
        single.condition = Condition()
        single.condition.level = change.level
        let loop = try EventLoop(display: -1, output: nil)
        let performer = HookPerformer([single], context, record: nil, loop: loop)
        performer.note(present + [change])
        performer.take(.changes([HookTrigger(change: change, time: .now())]))
        while performer.isBusy {
            if try performer.turn() { performer.close() }
        }
        context.end()
        return !performer.engine.hasFailures
    }
}
