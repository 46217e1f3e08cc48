import ArgumentParser
import Console
import Glibc
import Hooks
import PhaseWatch
import Service
import System

struct ThawCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "thaw",
        abstract: "Thaw applications frozen by hand or by hooks.",
        usage: "xphase thaw <app…>|--all [options]",
        discussion: """
            Hooks do not freeze these applications again until their phase begins anew. Exits 0 even if \
            none was frozen, 1 if none matches, and 69 if no 'xphase run' serves the display, unless one that was \
            killed has left them frozen.

            With --all, thaws everything on all displays. This needs neither a display nor a running 'xphase run', \
            only the record of what is frozen: use it from another virtual terminal if the desktop does not respond. Also names \
            what else a killed 'xphase run' has left: the next one undoes that.

            EXAMPLES
              xphase thaw Slack
              xphase thaw --all
            """
    )

    @Flag(help: "Thaw everything on all displays.")
    var all = false

    @OptionGroup var subject: SubjectOptions

    func validate() throws {
        if all != subject.names.isEmpty { throw ValidationError("use either '<app>' or --all") }
        if all && subject.display != nil { throw ValidationError("--all thaws on all displays") }
    }

    func run(_ io: CommandIO) throws {
        guard all else {
            let display = try io.knownDisplay(subject.display)
            let subjects = try Subjects(subject.names, on: display)
            let applications = try subjects.applications()
            let asked = try io.unlessAbsent {
                try io.ask(display, refusal: Exit.notFound) { try $0.thaw(applications) }
            }
            guard let texts = asked, let display else { return try thawLeft(applications, on: display, io) }
            if texts == [HookSink.nothingFrozen] {
                let phases = try ServedPhases(display: display, environment: io.environment)
                if let failure = try subjects.absence(among: phases.present()) { throw failure }
                let rows = try io.ask(display) { try $0.status().rows }
                let frozen = Set(rows.filter { $0.freeze != nil }.compactMap(\.application)).sorted()
                let others = frozen.isEmpty ? "" : "; frozen now: \(frozen.joined(separator: ", "))"
                return try io.write(lines: ["'\(subjects.names.text)' is not frozen\(others)"])
            }
            return try io.write(lines: texts)
        }
        let environment = io.environment
        // First the services: the disk of the records may hang. Without a runtime directory, it is that of their sockets.
        let served = try Self.answer(within: .seconds(5)) {
            do throws(SystemError) {
                return try VarlinkClient.thawAll(environment)
            } catch {
                var thawed = UndoRecords.Thawed()
                if error.code != ENOENT { thawed.faults = ["the services were not asked: \(error)"] }
                return thawed
            }
        }
        let others = try Self.answer(within: .seconds(5)) { VarlinkClient.thawOthers(environment) }
        let recorded = try Self.answer(within: .seconds(3)) { () throws(SystemError) in
            try UndoRecords(environment: environment).thawAll()
        }
        if served == nil || others == nil { io.say(Self.silence) }
        let thawed = [served, others, recorded].compactMap(\.self)
        let faults = thawed.flatMap(\.faults)
        let left = recorded?.left ?? []
        (faults + left + UndoRecords.stillStopped(thawed.flatMap(\.processes))).forEach(io.say)
        // Last, since the reader may be gone.
        try io.write(lines: thawed.flatMap(\.done))
        guard recorded != nil else {
            throw CommandFailure(
                Exit.system,
                "'\(try environment.stateDirectory())' does not answer, so what a killed 'xphase run' has left frozen "
                    + "is not known: type xphase thaw --all again once its disk answers")
        }
        if served == nil || others == nil || !faults.isEmpty { throw CommandFailure(Exit.system) }
        if thawed.allSatisfy(\.done.isEmpty) { try io.write(lines: [HookSink.nothingFrozen]) }
    }

    /// Thaws what a killed service has left frozen of these applications.
    ///
    /// - Throws: `ServiceError.notRunning` if it has left nothing of them.
    private func thawLeft(_ names: [Pattern], on display: String?, _ io: CommandIO) throws {
        let environment = io.environment
        let thawed = try Self.answer(within: .seconds(3)) { () throws(SystemError) in
            try UndoRecords(environment: environment).thawLeft { application in
                names.contains { $0.matches(application) }
            }
        }
        guard let thawed, !thawed.done.isEmpty || !thawed.faults.isEmpty else {
            throw ServiceError.notRunning(display: display ?? "")
        }
        (thawed.faults + UndoRecords.stillStopped(thawed.processes)).forEach(io.say)
        try io.write(lines: thawed.done)
        if !thawed.faults.isEmpty { throw CommandFailure(Exit.system) }
    }

    /// Returns what an operation thaws, or nil if its disk does not answer in time.
    private static func answer(
        within limit: Duration, _ thaw: @escaping @Sendable () throws(SystemError) -> UndoRecords.Thawed
    ) throws -> UndoRecords.Thawed? {
        let disk = try DiskQueue<Result<UndoRecords.Thawed, SystemError>>()
        disk.submit { Result { () throws(SystemError) in try thaw() } }
        disk.finish(within: limit)
        return try disk.takeAnswers().first?.get()
    }

    /// What to do about services whose sockets cannot be reached.
    private static var silence: String {
        let pids = VarlinkClient.services.map { "\($0)" }.joined(separator: " ")
        return "the directory of the sockets does not answer"
            + (pids.isEmpty
                ? "" : ": type kill \(pids), which ends the services and thaws what they have frozen")
    }
}
