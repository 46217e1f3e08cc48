import Hooks
import PhaseWatch
import System
import X11

/// A question about an application: what keeps it from being touched, and what undoes reactions.
final class Question {
    /// The maximum number of streams of an application that are muted.
    private static let mostStreams = 256

    let job: Job
    /// The reactions in question, and the exceptions that prevent some.
    let builtIns: Set<BuiltIn>
    let exceptions: Set<Exception>
    /// All processes, and those of the application.
    let table: ProcessTable
    let processes: [ProcessIdentity]
    /// The X resource IDs of its windows.
    let windows: [UInt32]
    /// Its control group, if it has one of its own, and whether to create one otherwise.
    fileprivate var group: ControlGroup?
    fileprivate let wantsScope: Bool
    /// What the system lacks for the reactions.
    let lack: String?
    /// The answers.
    var findings = Findings()
    /// The processes of window managers and compositors.
    private(set) var managers: Set<Int32> = []

    init(
        _ job: Job, _ builtIns: Set<BuiltIn>, _ exceptions: Set<Exception>, _ plan: FreezePlan,
        windows: [UInt32]
    ) {
        (self.job, self.exceptions, table, self.windows) = (job, exceptions, plan.table, windows)
        let lack = UserServices.lack(.own)
        self.lack = builtIns.isDisjoint(with: UserServices.reactions) ? nil : lack
        let possible = lack == nil ? builtIns : builtIns.subtracting(UserServices.reactions)
        guard let rows = try? plan.processes() else {
            // Nothing is done to what must not be touched, but an exception that holds is the better reason to say.
            self.builtIns = possible.intersection([.freeze])
            (processes, wantsScope) = ([], false)
            return
        }
        let hasNoUnit = plan.roots.allSatisfy { ControlGroup(of: $0) == nil }
        (self.builtIns, wantsScope) = (possible, lack == nil && builtIns != [.mute] && hasNoUnit)
        group = plan.ownUnit(rows)
        let tree = Set(rows.map(\.pid))
        let others = (group?.processes() ?? []).filter { !tree.contains($0) }
        processes = rows.map(\.identity) + others.compactMap { ProcessIdentity(pid: $0) }
    }

    /// The processes that programs may name: a sandboxed one reports its number inside of the sandbox.
    fileprivate var pids: Set<Int32> {
        let pids = processes.map(\.pid)
        return Set(pids + pids.compactMap(ProcessFacts.innermostNumber))
    }

    // MARK: Answers

    /// Adds what undoes a reaction.
    fileprivate func undo(_ builtIn: BuiltIn, by holds: () throws -> [Hold]) {
        if !builtIns.contains(builtIn) { return }
        do {
            findings.limits += try holds()
        } catch {
            findings.faults.append("is not \(builtIn.participle): \(error)")
        }
    }

    fileprivate func except(_ exception: Exception, if holds: () throws -> Bool) {
        if !exceptions.contains(exception) { return }
        do {
            if try holds() { findings.found[exception] = exception.text }
        } catch {
            // A frozen client with a running stream would silence all other clients.
            findings.found[exception] = "its state is unknown: \(error)"
        }
    }

    /// - Parameter streams: Those of all programs.
    fileprivate func except(_ exception: Exception, if streams: Result<[AudioStream]?, SystemError>) {
        except(exception) {
            let pids = pids
            // Muted streams count: a stopped client silences others in either case. The number of a process in a sandbox
            // may be that of another process outside, whose stream counts, too.
            return (try streams.get() ?? []).contains { !$0.corked && $0.pid.map(pids.contains) ?? false }
        }
    }

    fileprivate func mute(_ streams: Result<[AudioStream]?, SystemError>) {
        undo(.mute) {
            guard let streams = try streams.get() else { throw SystemError.refused("no audio server runs") }
            let heard = streams.compactMap { MutedStream($0, processes: processes, among: table) }
            return heard.sorted { $0.index < $1.index }.prefix(Self.mostStreams).map { .muted($0) }
        }
    }

    /// - Parameter staysGrabbed: Whether the input has been grabbed for a while.
    fileprivate func use(_ use: WindowUse, staysGrabbed: Bool) {
        except(.fullscreen) { use.isFullscreen }
        except(.selection) { use.ownsSelection }
        guard builtIns.contains(.freeze) else { return }
        managers = use.managers
        findings.found[nil] =
            UseElsewhere.reason(for: processes.map(\.pid).sorted(), table)
            ?? use.accessory.map { "it shows a \($0)" }
            ?? use.embedded.map { "it shows a window of process \($0), which would run on" }
            ?? (staysGrabbed ? "a program has grabbed the pointer or the keyboard" : nil)
    }
}

extension Exception {
    fileprivate var text: String {
        switch self {
        case .audio: "it plays audio"
        case .microphone: "it records audio"
        case .inhibit: "it inhibits idleness or sleep"
        case .selection: "it owns the selection, which could not be pasted while it is frozen"
        case .fullscreen: "one of its windows is fullscreen"
        }
    }
}

/// Asks questions, and sets limits and restores the former ones. Nothing waits: each answer comes later.
final class Asker {
    /// The number and the interval of looks at a grab. A key that is held down is a grab, too.
    private static let (mostLooks, lookInterval) = (20, Duration.milliseconds(50))

    /// Something that ends later.
    private typealias Call = (_ done: @escaping (()) -> Void) -> Void

    private let watcher: PhaseWatcher?
    private let programs: HookPrograms
    let buses: Buses
    private var units: UserUnits { UserUnits(buses: buses) }

    init(_ watcher: PhaseWatcher?, _ programs: HookPrograms, _ loop: EventLoop) {
        (self.watcher, self.programs, buses) = (watcher, programs, Buses(loop))
    }

    // MARK: Questions

    /// Asks a question, and calls the function once it is answered.
    func ask(_ question: Question, then: @escaping () -> Void) {
        // Processes that already have a unit keep it.
        let processes =
            question.wantsScope ? question.processes.filter { ControlGroup(of: $0.pid) == nil } : []
        guard let first = processes.first else { return askAll(question, then) }
        let application = question.job.subject.application
        let scope = ApplicationScope(application, processes, of: question.table, units) { [self] error in
            if let error {
                question.findings.remarks.append("\(application) gets no unit of its own: \(error)")
            } else {
                question.group = ControlGroup(of: first.pid)
            }
            askAll(question, then)
        }
        scope.make()
    }

    private func askAll(_ question: Question, _ then: @escaping () -> Void) {
        let (exceptions, builtIns) = (question.exceptions, question.builtIns)
        let sound = Sound(programs: programs, job: question.job)
        var calls: [Call] = []
        for builtIn in [BuiltIn.slow, .cap] where builtIns.contains(builtIn) {
            guard let group = question.group else {
                question.undo(builtIn) { throw SystemError.refused("it has no systemd unit of its own") }
                continue
            }
            calls.append { [units] done in
                units.read(builtIn.properties, of: group) { values in
                    done(
                        question.undo(builtIn) {
                            [.limited(unit: group.name, by: builtIn, former: try values.get())]
                        })
                }
            }
        }
        if exceptions.contains(.audio) || builtIns.contains(.mute) {
            calls.append { done in
                sound.list(.played) { streams in
                    question.mute(streams)
                    done(question.except(.audio, if: streams))
                }
            }
        }
        if exceptions.contains(.microphone) {
            calls.append { done in
                sound.list(.recorded) { done(question.except(.microphone, if: $0)) }
            }
        }
        if exceptions.contains(.inhibit) {
            let (windows, application) = (Set(question.windows), question.job.subject.application)
            calls.append { [buses] done in
                Inhibitor.all(buses) { inhibitors in
                    let pids = question.pids
                    let inhibits = { try inhibitors.get().contains { $0.isOf(pids, windows, application) } }
                    done(question.except(.inhibit, if: inhibits))
                }
            }
        }
        // The fast checks come last: their results are still valid when the answer arrives.
        gather(calls) { [self] _ in look(question, then) }
    }

    /// Looks at the windows and the files of the application.
    private func look(_ question: Question, looks: Int = 1, _ then: @escaping () -> Void) {
        let (mayFreeze, hook) = (question.builtIns.contains(.freeze), question.job.hook)
        guard let watcher, mayFreeze || !question.exceptions.isDisjoint(with: [.selection, .fullscreen])
        else { return then() }
        watcher.ask(useOf: question.windows, processes: Set(question.processes.map(\.pid))) { [self] use in
            // Not for a freeze by hand: a grab may be that of the key whose command asks for the freeze.
            let isGrabbed = hook.isOfSeen && hook.condition.chosen == nil && use.isInputGrabbed
            if mayFreeze && isGrabbed && looks < Self.mostLooks {
                return buses.wait(Self.lookInterval) { [self] in look(question, looks: looks + 1, then) }
            }
            question.use(use, staysGrabbed: isGrabbed)
            then()
        }
    }

    // MARK: Limits

    /// Sets limits to the wanted values; without these, restores the former ones. Passes on the holds that failed.
    ///
    /// - Parameters:
    ///   - job: The job that the programs are run for.
    ///   - group: The control group of the application.
    ///   - processes: The processes with streams that the audio server may have muted, too.
    func set(
        _ holds: [Hold], to wanted: Wanted?, _ job: Job, in group: ControlGroup? = nil,
        with processes: [ProcessIdentity] = [],
        then: @escaping (_ failed: [Hold], ReactionAnswer) -> Void
    ) {
        var (failed, answer): ([Hold], ReactionAnswer) = ([], ReactionAnswer())
        func take(_ holds: [Hold], _ builtIn: BuiltIn, _ done: String?, _ errors: [any Error]) {
            if !errors.isEmpty { failed += holds }
            let fault = wanted == nil ? "is not restored" : "is not \(builtIn.participle)"
            answer.faults += errors.map { "\(fault): \($0)" }
            if let done { answer.done.append(done) }
        }
        var calls: [Call] = holds.compactMap { hold in
            guard let (unit, builtIn, words, values) = hold.limit(wanted) else { return nil }
            return { [units] done in
                (wanted == nil ? units.restore : units.set)(values, unit) { error in
                    take([hold], builtIn, error == nil ? words : nil, [error].compactMap(\.self))
                    if wanted != nil, error == nil, let group, group.name == unit {
                        answer.remarks += UserServices.lacks(for: [builtIn], unless: group.has)
                    }
                    done(())
                }
            }
        }
        let muted = holds.filter { $0.muted != nil }
        if !muted.isEmpty {
            let sound = Sound(programs: programs, job: job)
            calls.append { done in
                sound.set(muted.compactMap(\.muted), isMuted: wanted != nil, processes) { count, faults in
                    let words =
                        "\(wanted == nil ? "un" : "")muted (\(count == 1 ? "1 stream" : "\(count) streams"))"
                    done(take(muted, .mute, count > 0 ? words : nil, faults))
                }
            }
        }
        gather(calls) { _ in then(failed, answer) }
    }
}

extension Hold {
    /// What the unit is set to, or was before if nothing is wanted, and how this is reported; nil for other reactions.
    fileprivate func limit(
        _ wanted: Wanted?
    ) -> (unit: String, builtIn: BuiltIn, words: String, values: [(String, UInt64)])? {
        guard case .limited(let unit, let builtIn, let former) = self else { return nil }
        let (words, values): (String, [UInt64]) =
            switch (wanted, builtIn == .cap ? wanted?.cap : nil) {
            case (nil, _): ("no longer \(builtIn.participle)", former)
            case (_, let cap?): ("capped at \(cap.rawValue) (\(unit))", [cap.microseconds])
            case (_, nil): ("\(builtIn.participle) (\(unit))", former.map { _ in 10 })
            }
        return (unit, builtIn, words, Array(zip(builtIn.properties, values)))
    }
}
