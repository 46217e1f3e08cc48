import Glibc
import Hooks
import PhaseWatch
import System
import X11

/// What a question or a reaction is about.
struct Target {
    var job: Job
    /// The reactions in question, and the exceptions that prevent some.
    var builtIns: Set<BuiltIn> = []
    var exceptions: Set<Exception> = []
    /// All processes of the application.
    var processes: [ProcessIdentity]
    /// The X resource IDs of its windows.
    var windows: [UInt32]
    /// Its control group, if it has one of its own.
    var group: ControlGroup?

    /// The processes that programs may name: a sandboxed one reports its number inside of the sandbox.
    var pids: Set<Int32> {
        let pids = processes.map(\.pid)
        return Set(pids + pids.compactMap(ProcessFacts.innermostNumber))
    }
}

/// Asks for what keeps an application from being touched, and for what undoes reactions. Nothing waits: each answer
/// comes later.
final class Asker {
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

    // MARK: Questions

    /// Asks what undoes the reactions, and then which exceptions hold.
    ///
    /// - Parameter wantsScope: Whether to create a unit, because the application has none.
    func ask(
        _ target: Target, wantsScope: Bool, _ sound: Sound, _ then: @escaping (Findings) -> Void
    ) {
        // Processes that already have a unit keep it.
        let processes = wantsScope ? target.processes.filter { ControlGroup(of: $0.pid) == nil } : []
        guard let first = processes.first else { return askToUndo(target, Findings(), sound, then) }
        let application = target.job.subject.application
        let scope = ApplicationScope(application, processes, UserUnits(buses: buses)) { [self] time, call in
            wait(time, call)
        } then: { [self] error in
            var (target, findings) = (target, Findings())
            if let error {
                findings.remarks.append("\(application) gets no unit of its own: \(error)")
            } else {
                target.group = ControlGroup(of: first.pid)
            }
            askToUndo(target, findings, sound, then)
        }
        scope.make()
    }

    private func askToUndo(
        _ target: Target, _ findings: Findings, _ sound: Sound, _ then: @escaping (Findings) -> Void
    ) {
        var findings = findings
        let gathering = Gathering { [self] in askForExceptions(target, findings, sound, then) }
        func save(_ builtIn: BuiltIn, _ properties: [String], _ hold: @escaping (String, [UInt64]) -> Hold) {
            if !target.builtIns.contains(builtIn) { return }
            let fault = "is not \(builtIn.participle)"
            guard let group = target.group else {
                return findings.faults.append("\(fault): it has no systemd unit of its own")
            }
            gathering.begin()
            UserUnits(buses: buses).read(properties, of: group.name, at: group.path) { result in
                switch result {
                case .success(let values): findings.limits.append(hold(group.name, values))
                case .failure(let error): findings.faults.append("\(fault): \(error)")
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
                    findings.limits += heard.sorted { $0.index < $1.index }.prefix(Self.mostStreams)
                        .map { .muted($0) }
                case .success(nil): findings.faults.append("is not muted: no audio server runs")
                case .failure(let error): findings.faults.append("is not muted: \(error)")
                }
                gathering.end()
            }
        }
        gathering.end()
    }

    private func askForExceptions(
        _ target: Target, _ findings: Findings, _ sound: Sound, _ then: @escaping (Findings) -> Void
    ) {
        var findings = findings
        // The fast checks come last: their results are still valid when the answer arrives.
        let gathering = Gathering { [self] in look(target, findings, then) }
        func find(_ exception: Exception, _ text: String, _ result: Result<Bool, some Error>) {
            switch result {
            case .success(let holds): if holds { findings.found[exception] = text }
            // A frozen client with a running stream would silence all other clients.
            case .failure(let error): findings.found[exception] = "its state is unknown: \(error)"
            }
            gathering.end()
        }
        let pids = target.pids
        let streams: [(Exception, AudioStream.Direction, String)] = [
            (.audio, .played, "it plays audio"), (.microphone, .recorded, "it records audio"),
        ]
        for (exception, direction, text) in streams where target.exceptions.contains(exception) {
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
        if target.exceptions.contains(.inhibit) {
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
    private func look(
        _ target: Target, _ findings: Findings, looks: Int = 1, _ then: @escaping (Findings) -> Void
    ) {
        let (exceptions, hook) = (target.exceptions, target.job.hook)
        let mayFreeze = target.builtIns.contains(.freeze)
        guard let watcher = context.watcher,
            mayFreeze || !exceptions.isDisjoint(with: [.selection, .fullscreen])
        else { return then(findings) }
        watcher.ask(useOf: target.windows, processes: Set(target.processes.map(\.pid))) { [self] use in
            // Not for a freeze by hand: a grab may be that of the key whose command asks for the freeze.
            let staysGrabbed =
                mayFreeze && hook.isOfSeen && hook.condition.chosen == nil && use.isInputGrabbed
            if staysGrabbed && looks < Self.mostLooks {
                return wait(Self.lookInterval) { [self] in look(target, findings, looks: looks + 1, then) }
            }
            var findings = findings
            if exceptions.contains(.fullscreen) && use.isFullscreen {
                findings.found[.fullscreen] = "one of its windows is fullscreen"
            }
            if exceptions.contains(.selection) && use.ownsSelection {
                findings.found[.selection] =
                    "it owns the selection, which could not be pasted while it is frozen"
            }
            if mayFreeze {
                findings.managers = use.managers
                let pids = target.processes.map(\.pid).sorted()
                findings.found[nil] =
                    UseElsewhere().reason(for: pids, .current()) ?? use.accessory.map { "it shows a \($0)" }
                    ?? use.embedded.map { "it shows a window of process \($0), which would run on" }
                    ?? (staysGrabbed ? "a program has grabbed the pointer or the keyboard" : nil)
            }
            then(findings)
        }
    }

    /// The maximum number of streams of an application that are muted.
    private static let mostStreams = 256

    // MARK: Doing and undoing

    /// Sets limits to the wanted values.
    func apply(
        _ holds: [Hold], _ wanted: Wanted, of target: Target, _ sound: Sound,
        _ then: @escaping (ReactionAnswer) -> Void
    ) {
        var answer = ReactionAnswer()
        let gathering = Gathering { then(answer) }
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
            switch (hold, wanted.cap) {
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

    /// Restores the former state, and passes on the holds that could not be undone.
    func undo(
        _ holds: [Hold], of target: Target, _ sound: Sound,
        _ then: @escaping (_ left: [Hold], ReactionAnswer) -> Void
    ) {
        var (left, answer): ([Hold], ReactionAnswer) = ([], ReactionAnswer())
        let gathering = Gathering { then(left, answer) }
        func restore(_ hold: Hold, _ unit: String, _ words: String, _ values: [(String, UInt64)]) {
            gathering.begin()
            UserUnits(buses: buses).restore(values, of: unit) { error in
                if let error {
                    left.append(hold)
                    answer.faults.append("is not restored: \(error)")
                } else {
                    answer.done.append(words)
                }
                gathering.end()
            }
        }
        for hold in holds {
            switch hold {
            case .slowed(let unit, let weights):
                restore(hold, unit, "no longer slowed", Array(zip(Hold.weightNames, weights)))
            case .capped(let unit, let quota):
                restore(hold, unit, "no longer capped", [(Hold.quotaName, quota)])
            case .stopped, .frozen, .muted: break
            }
        }
        let muted = holds.filter { $0.muted != nil }
        gathering.begin()
        sound.unmute(muted.compactMap(\.muted), with: target.processes) { faults in
            answer.faults += faults.map { "is not restored: \($0)" }
            if faults.isEmpty {
                if !muted.isEmpty { answer.done.append("unmuted (\(Self.streams(muted.count)))") }
            } else {
                left += muted
            }
            gathering.end()
        }
        gathering.end()
    }

    private static func streams(_ count: Int) -> String { count == 1 ? "1 stream" : "\(count) streams" }
}
