import Glibc
import Hooks
import PhaseWatch
import System

extension Hook {
    /// Runs the hook once, even if its condition does not hold, and waits for its end. SIGINT and SIGTERM
    /// end the program.
    ///
    /// For a pair, runs `enter` if the trigger leads into its phases or begins a state of the session, and `leave`
    /// otherwise. Built-in reactions are not performed, because nothing would undo them.
    ///
    /// - Parameter present: The current state. The hook receives no processes but those in it.
    /// - Returns: Whether the hook succeeded or was vetoed.
    public func runByHand(
        for trigger: HookTrigger, among present: [Change], _ context: HookContext
    ) throws(SystemError) -> Bool {
        var part = Job.Part.run
        if let pair {
            let begins =
                switch trigger.occasion {
                case .change(let change): pair.times.contains(PhaseOrClosed(change.to))
                case .session(let change): change.begins
                }
            part = begins ? .enter : .leave
        }
        var single = self
        if let program = program(of: part) { single.reaction = .run(program) }
        single.after = .zero
        single.power = nil
        single.unless = part == .leave ? nil : unless
        let loop = try EventLoop(display: -1, output: nil)
        let performer = HookPerformer([single], context, record: nil, loop: loop)
        performer.note(present + [trigger.change].compactMap(\.self))
        performer.take(.fire(Job(hook: single, part: .run, trigger: trigger, fired: part)))
        while performer.isBusy {
            if try performer.turn() { performer.close() }
        }
        context.endOutput()
        return !performer.engine.hasFailures
    }
}
