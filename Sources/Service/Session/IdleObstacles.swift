import PhaseWatch
import System

/// What keeps a user who touches nothing from being idle: a program that inhibits idleness, as most players do during a
/// film, or a stream that the active application plays. Nothing waits: each answer comes later.
package final class IdleObstacles {
    private let buses: Buses
    private let programs: HookPrograms
    /// Reads the files of sandboxes.
    private let sandboxes: ProcessReadings

    /// - Parameter display: The display on which pactl(1) may find the name of the audio server.
    init(_ loop: EventLoop, on display: String) {
        buses = Buses(loop)
        sandboxes = ProcessReadings(buses, threads: SeparateThreads(most: 1))
        // Nothing is logged: pactl(1) may be missing, and no audio server may run.
        let silence = Log(-1) { _ in [] }
        programs = HookPrograms(HookContext(environment: .own, display: display, log: silence), loop)
    }

    deinit { programs.signalAll() }

    /// When to call `expire`; nil for never.
    var next: Duration? { [buses.next, programs.next].compactMap(\.self).min() }

    func expire(at now: Duration) {
        buses.expire(at: now)
        programs.expire(at: now)
    }

    /// Passes on whether there is one. A bus or an audio server that does not answer counts as having none.
    ///
    /// - Parameter active: The application with the focus.
    func ask(_ active: ActiveApplication?, then: @escaping (_ isAny: Bool) -> Void) {
        Inhibitor.all(buses) { [weak self] inhibitors in
            let isInhibited = (try? inhibitors.get())?.contains(where: \.stopsIdle) ?? false
            guard let self, let active, !isInhibited else { return then(isInhibited) }
            let table = ProcessTable.current()
            let processes = active.processes(among: table)
            Sound(programs: programs, buses: buses).list(.played, of: processes, among: table, sandboxes) {
                streams, _ in then((try? streams.get())?.mayRun(for: processes) ?? false)
            }
        }
    }
}

extension ActiveApplication {
    /// Returns its processes: those of its windows, also if they must not be stopped, with those that they have started and
    /// those of its unit.
    fileprivate func processes(among table: ProcessTable) -> [ProcessIdentity] {
        let family = table.family(of: pids) { others[$0] != nil && !pids.contains($0) }
        let plan = FreezePlan(
            table: table, roots: pids, others: others, fellows: [], application: name, isNamed: true,
            server: nil, managers: [])
        return family.identities(with: plan.ownUnit(family))
    }
}

extension IdleObstacles {
    /// The time limit of the answer, and that of the end of a pactl(1) that does not answer.
    private static let patience = Duration.seconds(2)
    private static let lastPatience = Duration.milliseconds(500)

    /// Returns whether there is one, before a reading is used for the first time. Waits for the answer: without it, a user
    /// who is idle would count as active, which would end what an earlier process has begun for idle users.
    package static func areAny(for active: ActiveApplication?, on display: String) -> Bool {
        guard let loop = try? EventLoop(display: -1, output: nil, signals: []) else { return false }
        let obstacles = IdleObstacles(loop, on: display)
        var answer: Bool?
        obstacles.ask(active) { answer = $0 }
        obstacles.serve(loop, within: patience) { answer != nil }
        obstacles.programs.signalAll()
        obstacles.serve(loop, within: lastPatience) { obstacles.programs.isEmpty }
        obstacles.programs.signalAll()
        return answer ?? false
    }

    private func serve(_ loop: EventLoop, within time: Duration, until isDone: () -> Bool) {
        let end = Clock.now() + time
        while !isDone(), Clock.now() < end {
            loop.setTimer(min(next ?? end, end))
            guard (try? loop.wait()) != nil else { break }
            expire(at: Clock.now())
        }
    }
}
