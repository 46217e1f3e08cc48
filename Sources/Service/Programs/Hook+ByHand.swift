import Glibc
import Hooks
import PhaseWatch
import System

extension Hook {
    /// Runs the hook once for a change, even if its condition does not hold, and waits for its end. SIGINT and SIGTERM
    /// end the program.
    ///
    /// For a pair, runs `enter` if the change leads into its phases, and `leave` otherwise. Built-in reactions are not
    /// performed, because nothing would undo them.
    ///
    /// - Parameter present: The current state. The hook receives no processes but those in it.
    /// - Returns: Whether the hook succeeded or was vetoed.
    public func runByHand(
        for change: Change, among present: [Change], _ context: HookContext
    ) throws(SystemError) -> Bool {
        var part = Job.Part.run
        if case .pair(let pair) = reaction {
            part = pair.times.contains(PhaseOrClosed(change.to)) ? .enter : .leave
        }
        var single = self
        if let program = program(of: part) { single.reaction = .run(program) }
        single.after = .zero
        single.unless = part == .leave ? nil : unless
        single.condition = Condition()
        single.condition.level = HookLevel(change.level)
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
