import Hooks
import PhaseWatch
import System
import X11

/// A question about an application: what keeps it from being touched, and what undoes reactions. Nothing waits: each
/// answer comes later. Its steps:
///
/// 1. `init`: which reactions the system lacks, and which processes and which unit the application has
/// 2. `ask`: a unit of its own, if the reactions need one
/// 3. `askAll`, at once: the weights of the unit; the streams that it plays and records, with their players; inhibitors
/// 4. `look`: its windows, grabs and open files, as long as a key that is held down may be a grab
/// 5. `aim`, with a plan of that moment: which processes a freeze stops, and which applications share them
///
/// `Freezer.ask` then answers.
final class Question {
    /// The maximum number of streams of an application that are muted.
    private static let mostStreams = 256
    /// The number and the interval of looks at a grab. A key that is held down is a grab, too.
    private static let (mostLooks, lookInterval) = (20, Duration.milliseconds(50))

    let job: Job
    /// The reactions in question that the system can perform, and the exceptions that prevent some.
    private let builtIns: Set<BuiltIn>
    private let exceptions: Set<Exception>
    /// All processes, and those of the application.
    let table: ProcessTable
    private let processes: [ProcessIdentity]
    /// The X resource IDs of its windows, and the processes that own these.
    private let windows: Set<UInt32>
    private let owners: Set<Int32>
    /// Its control group, if it has one of its own, and whether to create one otherwise.
    private var group: ControlGroup?
    private let wantsScope: Bool
    private(set) var findings = Findings()
    /// The processes of window managers and compositors; nil if it is not about a freeze.
    private(set) var managers: Set<Int32>?
    private let buses: Buses
    private let sandboxes: ProcessReadings
    private let sound: Sound

    init(
        _ job: Job, _ builtIns: Set<BuiltIn>, _ exceptions: Set<Exception>, _ plan: FreezePlan,
        windows: Set<UInt32>, _ programs: HookPrograms, _ buses: Buses, sandboxes: ProcessReadings
    ) {
        (self.job, self.exceptions, table, self.windows) = (job, exceptions, plan.table, windows)
        owners = Set(plan.roots)
        (self.buses, self.sandboxes) = (buses, sandboxes)
        sound = Sound(programs: programs, buses: buses)
        let lack = UserUnits.lack(.own)
        for builtIn in builtIns.intersection(UserUnits.reactions) { findings.lacks[builtIn] = lack }
        wantsScope =
            lack == nil && builtIns != [.mute] && plan.roots.allSatisfy { ControlGroup(of: $0) == nil }
        let possible = lack == nil ? builtIns : builtIns.subtracting(UserUnits.reactions)
        let rows = try? plan.processes()
        // Nothing is done to what must not be touched, but an exception that holds is the better reason to say.
        self.builtIns = rows == nil ? possible.intersection([.freeze]) : possible
        group = rows.flatMap(plan.ownUnit)
        processes = (rows ?? []).identities(with: group)
    }

    // MARK: Asking

    /// Asks, and calls the function once all is answered but for `aim`.
    func ask(_ watcher: PhaseWatcher?, then: @escaping () -> Void) {
        let (application, units) = (job.subject.application, UserUnits(buses: buses))
        // Processes that already have a unit keep it.
        let moved = wantsScope ? processes.filter { ControlGroup(of: $0.pid) == nil } : []
        guard let first = moved.first else { return askAll(units, watcher, then) }
        let scope = ApplicationScope(application, moved, of: table, units) { [self] error in
            if let error {
                findings.remarks.append("cannot create a systemd unit for \(application): \(error)")
            } else {
                group = ControlGroup(of: first.pid)
            }
            askAll(units, watcher, then)
        }
        scope.make()
    }

    private func askAll(_ units: UserUnits, _ watcher: PhaseWatcher?, _ then: @escaping () -> Void) {
        // The fast checks come last: their results are still valid when the answer arrives.
        let answers = Answers { [self] in look(watcher, then) }
        for builtIn in [BuiltIn.slow, .cap] where builtIns.contains(builtIn) {
            units.hold(
                for: builtIn, of: group,
                then: answers.awaiting { [self] hold in undo(builtIn) { [try hold.get()] } })
        }
        if exceptions.contains(.audio) || builtIns.contains(.mute) {
            list(
                .played,
                then: answers.awaiting { [self] streams in
                    undo(.mute) { try muted(streams.get()) }
                    except(.audio) { try streams.get()?.mayRun(for: processes) ?? false }
                })
        }
        if exceptions.contains(.microphone) {
            list(
                .recorded,
                then: answers.awaiting { [self] streams in
                    except(.microphone) { try streams.get()?.mayRun(for: processes) ?? false }
                })
        }
        if exceptions.contains(.inhibit) {
            let application = job.subject.application
            Inhibitor.all(
                buses,
                then: answers.awaiting { [self] inhibitors in
                    except(.inhibit) {
                        let pids = processes.numbers
                        return try inhibitors.get().contains { $0.isOf(pids, windows, application) }
                    }
                })
        }
        answers.end()
    }

    /// Passes on the streams of all programs with the processes that may play them; nil if no audio server runs.
    private func list(
        _ direction: AudioStream.Direction, then: @escaping (Result<[PlayedStream]?, SystemError>) -> Void
    ) {
        sound.list(direction, of: processes, among: table, sandboxes) { [self] streams, remark in
            findings.remarks += [remark].compactMap(\.self)
            then(streams)
        }
    }

    /// Looks at the windows and the files of the application.
    private func look(_ watcher: PhaseWatcher?, looks: Int = 1, _ then: @escaping () -> Void) {
        let mayFreeze = builtIns.contains(.freeze)
        guard let watcher, mayFreeze || !exceptions.isDisjoint(with: [.selection, .fullscreen])
        else { return then() }
        let pids = processes.map(\.pid)
        watcher.ask(useOf: Array(windows), owners: owners, processes: Set(pids)) { [self] use in
            // Not for a freeze by hand: a grab may be that of the key whose command asks for the freeze.
            let isGrabbed = job.hook.isOfSeen && job.hook.condition.chosen == nil && use.isInputGrabbed
            if mayFreeze && isGrabbed && looks < Self.mostLooks {
                return buses.wait(Self.lookInterval) { [self] in look(watcher, looks: looks + 1, then) }
            }
            except(.fullscreen) { use.isFullscreen }
            except(.selection) { use.ownsSelection }
            if mayFreeze {
                managers = use.managers
                let names = job.hook.isOfSeen ? job.hook.condition.criteria.application : []
                findings.found[nil] =
                    names.visibleRest(of: job.subject.application, among: watcher.present)
                    ?? UseElsewhere.reason(for: pids.sorted(), table)
                    ?? use.accessory.map { "it shows a \($0)" }
                    ?? use.newcomer.map { "process \($0), which it has started, shows a window" }
                    ?? use.embedded.map { "it embeds a window of process \($0), which would keep running" }
                    ?? (isGrabbed ? "a program has grabbed the pointer or the keyboard" : nil)
            }
            then()
        }
    }

    // MARK: Answers

    /// Adds what undoes a reaction.
    private func undo(_ builtIn: BuiltIn, by holds: () throws -> [Hold]) {
        if !builtIns.contains(builtIn) { return }
        do {
            findings.limits += try holds()
        } catch {
            findings.faults.append(ReactionWords(builtIn, "is not \(builtIn.participle): \(error)"))
        }
    }

    private func except(_ exception: Exception, if holds: () throws -> Bool) {
        if !exceptions.contains(exception) { return }
        do {
            if try holds() { findings.found[exception] = exception.words }
        } catch {
            // A frozen client with a running stream would silence all other clients.
            findings.found[exception] = "cannot tell whether \(exception.words): \(error)"
        }
    }

    /// Returns what undoes the mute of its audible streams. Those that may be another's are a fault.
    private func muted(_ streams: [PlayedStream]?) throws(SystemError) -> [Hold] {
        guard let streams else { throw AudioServer.lack }
        let audible = streams.filter { !$0.stream.mute && $0.mayBelong(to: processes) }
        let own = audible.compactMap { $0.muted(of: processes) }
        let faults = PlayedStream.faults(audible.filter { $0.muted(of: processes) == nil })
        findings.faults += faults.map {
            ReactionWords(.mute, "is not \(own.isEmpty ? "" : "wholly ")muted: \($0)")
        }
        return own.sorted { $0.index < $1.index }.prefix(Self.mostStreams).map { .muted($0) }
    }

    /// Finds the processes to stop, unless an exception holds.
    ///
    /// - Parameters:
    ///   - plan: A plan of this moment.
    ///   - held: Returns what already stops applications.
    func aim(_ plan: FreezePlan, held: (Set<String>) -> [Hold]) {
        guard findings.found.isEmpty else { return }
        do throws(FreezePlan.Refusal) {
            let processes = try plan.processes()
            guard builtIns.contains(.freeze) else { return }
            findings.found[nil] = plan.hindrance
            findings.newcomer = plan.newcomer(among: processes)
            guard findings.found.isEmpty, findings.newcomer == nil else { return }
            let companions = plan.companions
            findings.freeze = try plan.hold(
                processes, held: held(companions.union([job.subject.application])))
            findings.companions = companions
        } catch {
            // What shares a process may be frozen together with it.
            if let other = error.sharing {
                findings.companions = [other]
            } else {
                findings.refusal = "\(error)"
            }
        }
    }
}
