import Glibc
import Hooks
import PhaseWatch
import System
import X11

/// What a question or a reaction is about.
struct Target {
    var job: Job
    /// All processes of the application.
    var processes: [ProcessIdentity]
    /// The X resource IDs of its windows.
    var windows: [UInt32]
    /// Its control group, if it has one of its own.
    var group: ControlGroup?

    /// The reactions of the job that the system can perform.
    var builtIns: Set<BuiltIn>
    /// The processes that programs may name: a sandboxed one reports its number inside of the sandbox.
    var pids: Set<Int32> {
        let pids = processes.map(\.pid)
        return Set(pids + pids.compactMap(ProcessFacts.innermostNumber))
    }
}

/// Asks for what keeps an application from being touched, and for what undoes reactions. Nothing waits: each answer
/// comes later.
final class Asker {
    typealias Answer = (ReactionAnswer, _ failure: String?) -> Void

    /// The number and the interval of looks at a grab. A key that is held down is a grab, too.
    private static let (mostLooks, lookInterval) = (20, Duration.milliseconds(50))

    private let context: HookContext
    let buses: Buses
    /// Functions to call later.
    private var timers: [(due: Duration, call: () -> Void)] = []

    init(_ context: HookContext, _ loop: EventLoop) { (self.context, buses) = (context, Buses(loop)) }

    /// When to call `wake`; nil for never.
    var next: Duration? { (timers.map(\.due) + [buses.next].compactMap(\.self)).min() }

    func wake(at now: Duration) {
        buses.expire(at: now)
        let due = timers.filter { $0.due <= now }
        timers.removeAll { $0.due <= now }
        for timer in due { timer.call() }
    }

    /// Calls a function after some time.
    func wait(_ time: Duration, _ call: @escaping () -> Void) { timers.append((Clock.now() + time, call)) }

    // MARK: Exceptions

    /// Asks whether an exception of the hook holds.
    func ask(_ target: Target, _ sound: Sound, _ then: @escaping Answer) {
        let exceptions = target.job.hook.except
        var found: [Exception: String] = [:]
        // The fast checks come last: their results are still valid when the answer arrives.
        let gathering = Gathering { [self] in
            look(target, found: [.audio, .microphone, .inhibit].lazy.compactMap { found[$0] }.first, then)
        }
        func find(_ exception: Exception, _ text: String, _ result: Result<Bool, some Error>) {
            switch result {
            case .success(let holds): if holds { found[exception] = text }
            // A frozen client with a running stream would silence all other clients.
            case .failure(let error): found[exception] = "its state is unknown: \(error)"
            }
            gathering.end()
        }
        let pids = target.pids
        let streams: [(Exception, AudioStream.Direction, String)] = [
            (.audio, .played, "it plays audio"), (.microphone, .recorded, "it records audio"),
        ]
        for (exception, direction, text) in streams where exceptions.contains(exception) {
            gathering.begin()
            sound.list(direction) { streams in
                // Muted streams count: a stopped client silences others in either case. The number of a process in a
                // sandbox may be that of another process outside, whose stream counts, too.
                let runs = streams.map { streams in
                    (streams ?? []).contains { !$0.corked && $0.pid.map(pids.contains) ?? false }
                }
                find(exception, text, runs)
            }
        }
        if exceptions.contains(.inhibit) {
            gathering.begin()
            let (application, windows) = (target.job.subject.application, Set(target.windows))
            InhibitorQuestion.ask(buses) { inhibitors in
                find(
                    .inhibit, "it inhibits idleness or sleep",
                    inhibitors.map { $0.contains { $0.isOf(pids, windows, application) } })
            }
        }
        gathering.end()
    }

    /// Looks at the windows and the files of the application.
    private func look(_ target: Target, found: String?, looks: Int = 1, _ then: @escaping Answer) {
        let (exceptions, hook) = (target.job.hook.except, target.job.hook)
        let mayFreeze = hook.builtIns.contains(.freeze)
        var answer = ReactionAnswer()
        answer.exception = found
        guard let watcher = context.watcher,
            mayFreeze || !exceptions.isDisjoint(with: [.selection, .fullscreen])
        else { return then(answer, nil) }
        watcher.ask(useOf: target.windows, processes: Set(target.processes.map(\.pid))) { [self] use in
            // Not for a freeze by hand: a grab may be that of the key whose command asks for the freeze.
            let staysGrabbed =
                mayFreeze && hook.isOfSeen && hook.condition.chosen == nil && use.isInputGrabbed
            if found == nil && staysGrabbed && looks < Self.mostLooks {
                return wait(Self.lookInterval) { [self] in look(target, found: found, looks: looks + 1, then)
                }
            }
            if mayFreeze { answer.managers = use.managers.sorted() }
            let elsewhere =
                mayFreeze && found == nil
                ? UseElsewhere().reason(for: target.processes.map(\.pid).sorted(), .current()) : nil
            let reasons = [
                found, elsewhere, mayFreeze ? use.accessory.map { "it shows a \($0)" } : nil,
                staysGrabbed ? "a program has grabbed the pointer or the keyboard" : nil,
                exceptions.contains(.fullscreen) && use.isFullscreen
                    ? "one of its windows is fullscreen" : nil,
                exceptions.contains(.selection) && use.ownsSelection
                    ? "it owns the selection, which could not be pasted while it is frozen" : nil,
            ]
            answer.exception = reasons.lazy.compactMap(\.self).first
            then(answer, nil)
        }
    }

    // MARK: What undoes the reactions

    /// Reads what undoes the reactions, and asks whether an exception holds now.
    ///
    /// - Parameter wantsScope: Whether to create a unit, because the application has none.
    func prepare(_ target: Target, wantsScope: Bool, _ sound: Sound, _ then: @escaping Answer) {
        guard wantsScope else { return prepareToUndo(target, ReactionAnswer(), sound, then) }
        // Processes that already have a unit keep it.
        let processes = target.processes.filter { ControlGroup(of: $0.pid) == nil }
        guard let first = processes.first else { return prepareToUndo(target, ReactionAnswer(), sound, then) }
        let application = target.job.subject.application
        let scope = ApplicationScope(application, processes, UserUnits(buses: buses)) { [self] time, call in
            wait(time, call)
        } then: { [self] error in
            var (target, answer) = (target, ReactionAnswer())
            if let error {
                answer.remarks.append("\(application) gets no unit of its own: \(error)")
            } else {
                target.group = ControlGroup(of: first.pid)
            }
            prepareToUndo(target, answer, sound, then)
        }
        scope.make()
    }

    private func prepareToUndo(
        _ target: Target, _ answer: ReactionAnswer, _ sound: Sound, _ then: @escaping Answer
    ) {
        var answer = answer
        let gathering = Gathering { [self] in
            guard target.builtIns.contains(.freeze) else { return then(answer, nil) }
            ask(target, sound) { asked, failure in
                (answer.exception, answer.managers) = (asked.exception, asked.managers)
                then(answer, failure)
            }
        }
        func save(_ builtIn: BuiltIn, _ properties: [String], _ hold: @escaping (String, [UInt64]) -> Hold) {
            if !target.builtIns.contains(builtIn) { return }
            let fault = "is not \(builtIn.participle)"
            guard let group = target.group else {
                return answer.faults.append("\(fault): it has no systemd unit of its own")
            }
            gathering.begin()
            UserUnits(buses: buses).read(properties, of: group.name, at: group.path) { result in
                switch result {
                case .success(let values): answer.holds.append(hold(group.name, values))
                case .failure(let error): answer.faults.append("\(fault): \(error)")
                }
                gathering.end()
            }
        }
        save(.slow, Hold.weightNames) { .slowed(unit: $0, weights: $1) }
        save(.cap, [Hold.quotaName]) { .capped(unit: $0, quota: $1[0]) }
        if target.builtIns.contains(.mute) {
            gathering.begin()
            sound.list(.played) { streams in
                switch streams {
                case .success(let streams?):
                    let heard = streams.compactMap { MutedStream($0, processes: target.processes) }
                    answer.holds += heard.sorted { $0.index < $1.index }.prefix(Self.mostStreams)
                        .map { .muted($0) }
                case .success(nil): answer.faults.append("is not muted: no audio server runs")
                case .failure(let error): answer.faults.append("is not muted: \(error)")
                }
                gathering.end()
            }
        }
        gathering.end()
    }

    /// The maximum number of streams of an application that are muted.
    private static let mostStreams = 256

    // MARK: Doing and undoing

    /// Performs the prepared reactions.
    func perform(_ holds: [Hold], of target: Target, _ sound: Sound, _ then: @escaping Answer) {
        var answer = ReactionAnswer()
        let gathering = Gathering { then(answer, nil) }
        func limit(_ unit: String, _ words: String, _ builtIn: BuiltIn, _ values: [(String, UInt64)]) {
            gathering.begin()
            UserUnits(buses: buses).set(values, of: unit) { error in
                if let error {
                    answer.faults.append("is not \(builtIn.participle): \(error)")
                } else {
                    answer.done.append("\(words) (\(unit))")
                    if let group = target.group, group.name == unit {
                        answer.remarks += UserServices.controllers(for: [builtIn])
                            .filter { !group.has($0) }.map(UserServices.lack)
                    }
                }
                gathering.end()
            }
        }
        for hold in holds {
            switch (hold, target.job.hook.cap) {
            case (.slowed(let unit, _), _):
                limit(unit, "slowed", .slow, Hold.weightNames.map { ($0, 10) })
            case (.capped(let unit, _), let cap?):
                limit(unit, "capped at \(cap.rawValue)", .cap, [(Hold.quotaName, cap.microseconds)])
            default: break
            }
        }
        gathering.begin()
        sound.mute(holds.compactMap(\.muted)) { count, faults in
            answer.faults += faults.map { "is not muted: \($0)" }
            if count > 0 { answer.done.append("muted (\(Self.streams(count)))") }
            gathering.end()
        }
        gathering.end()
    }

    /// Restores the former state.
    func undo(_ holds: [Hold], of target: Target, _ sound: Sound, _ then: @escaping Answer) {
        var answer = ReactionAnswer()
        let gathering = Gathering {
            then(answer, answer.faults.isEmpty ? nil : "something is not restored")
        }
        func restore(_ unit: String, _ words: String, _ values: [(String, UInt64)]) {
            gathering.begin()
            UserUnits(buses: buses).restore(values, of: unit) { error in
                if let error {
                    answer.faults.append("is not restored: \(error)")
                } else {
                    answer.done.append(words)
                }
                gathering.end()
            }
        }
        for hold in holds.reversed() {
            switch hold {
            case .stopped, .frozen:
                do {
                    try hold.thaw()
                    answer.done.append("thawed")
                } catch { answer.faults.append("is not restored: \(error)") }
            case .slowed(let unit, let weights):
                restore(unit, "no longer slowed", Array(zip(Hold.weightNames, weights)))
            case .capped(let unit, let quota): restore(unit, "no longer capped", [(Hold.quotaName, quota)])
            case .muted: break
            }
        }
        let streams = holds.compactMap(\.muted)
        gathering.begin()
        sound.unmute(streams, with: target.processes) { faults in
            answer.faults += faults.map { "is not restored: \($0)" }
            let count = streams.count - faults.count
            if count > 0 { answer.done.append("unmuted (\(Self.streams(count)))") }
            gathering.end()
        }
        gathering.end()
    }

    private static func streams(_ count: Int) -> String { count == 1 ? "1 stream" : "\(count) streams" }
}
