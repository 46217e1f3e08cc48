import Hooks
import PhaseWatch
import System

/// The requests that take time or need other programs. A separate xphase process carries out each request; it is
/// started, awaited and ended like a program of a hook.
struct Questions {
    /// The time limit of asking for an exception, and of `unless`.
    static let patience = Duration.seconds(5)
    private static let longest = Duration.seconds(30)

    private let context: HookContext
    private let services = UserServices(.own)

    init(_ context: HookContext) { self.context = context }

    /// Messages about what the user's service manager cannot do here.
    var lacks: Set<String> { Set([services.lack, services.unitLack].compactMap(\.self)) }

    /// Returns a request that asks whether an exception of the pair holds.
    func ask(_ job: Job, _ freezer: Freezer, _ seen: FirstSeen) -> ReactionRequest {
        let plan = freezer.plan(for: job, seen)
        let processes = (try? plan.processes()) ?? []
        var request = question(.ask, job, seen)
        request.processes = Self.members(processes, of: freezer.ownUnit(plan, processes))
        return request
    }

    /// Returns a request that reads how to undo the reactions and asks whether an exception holds now.
    ///
    /// - Returns: The request, nil if there is nothing to ask; and a message if the system cannot perform some
    ///   reactions.
    func prepare(
        _ job: Job, _ freezer: Freezer, _ seen: FirstSeen
    ) throws(FreezePlan.Refusal) -> (ReactionRequest?, lack: String?) {
        let plan = freezer.plan(for: job, seen)
        let processes = try plan.processes()
        let unit = freezer.ownUnit(plan, processes)
        let hasNoUnit = unit == nil && plan.roots.allSatisfy { ControlGroup(of: $0) == nil }
        var request = question(.prepare, job, seen)
        request.group = unit?.path
        request.processes = Self.members(processes, of: unit)
        var lack = hasNoUnit ? services.unitLack : services.lack
        request.wantsScope = hasNoUnit && lack == nil
        if request.builtIns.isDisjoint(with: UserServices.reactions) { lack = nil }
        if lack != nil { request.builtIns.subtract(UserServices.reactions) }
        if request.builtIns == [.mute] { request.wantsScope = false }
        return (request.builtIns.isEmpty && !request.wantsScope ? nil : request, lack)
    }

    func perform(_ job: Job, _ holds: [Hold], _ freezer: Freezer, _ seen: FirstSeen) -> ReactionRequest {
        var request = ReactionRequest(.perform)
        request.builtIns = job.hook.builtIns
        request.cap = job.hook.cap
        request.holds = holds
        let roots = freezer.plan(for: job, seen, ProcessTable([])).roots
        request.group = roots.first.flatMap(ControlGroup.init(of:))?.path
        return request
    }

    func undo(_ job: Job, _ holds: [Hold], _ freezer: Freezer, _ seen: FirstSeen) -> ReactionRequest {
        var request = ReactionRequest(.undo)
        request.holds = holds
        let plan = freezer.plan(for: job, seen)
        let processes = (try? plan.processes()) ?? []
        request.processes = Self.members(processes, of: freezer.ownUnit(plan, processes))
        return request
    }

    func start(_ request: ReactionRequest, _ job: Job) throws(SystemError) -> RunningProgram {
        try start(
            request, environment: context.variables(for: job, HookVariables.Processes()),
            timeout: request.step == .ask ? Self.patience : Self.longest)
    }

    /// Starts a process that prints calls on the session bus to these processes.
    func listen(to pids: [Int32]) throws(SystemError) -> RunningProgram {
        var request = ReactionRequest(.listen)
        request.processes = pids.compactMap { ProcessIdentity(pid: $0) }
        return try start(request, environment: context.inherited, timeout: nil)
    }

    private func start(
        _ request: ReactionRequest, environment: [SystemString], timeout: Duration?
    ) throws(SystemError) -> RunningProgram {
        try RunningProgram(
            // This path works even if the executable has been replaced.
            ["/proc/self/exe", SystemString(ReactionProgram.argument)], environment: environment,
            input: request.json, directory: context.home, timeout: timeout, at: Clock.now())
    }

    private func question(_ step: ReactionRequest.Step, _ job: Job, _ seen: FirstSeen) -> ReactionRequest {
        var request = ReactionRequest(step)
        request.builtIns = job.hook.builtIns
        request.exceptions = job.hook.except
        request.application = job.subject.application
        request.windows = seen.windows(of: job.subject.application)
        // Not for a freeze by hand: a grab may be that of the key whose command asks for the freeze.
        request.isSeen = job.hook.isOfSeen && job.hook.condition.chosen == nil
        return request
    }

    private static func members(_ processes: [ProcessRow], of unit: ControlGroup?) -> [ProcessIdentity] {
        let tree = processes.map(\.identity)
        let others = unit?.processes()?.filter { pid in !tree.contains { $0.pid == pid } } ?? []
        return tree + others.compactMap { ProcessIdentity(pid: $0) }
    }
}
