import ArgumentParser
import Console
import Glibc
import Hooks
import PhaseWatch
import Service
import System

struct Top: Command {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Show applications, phases and hooks live, full screen.",
        discussion: """
            Redraws after each change, and measures each application every 3 s: processor time, wake-ups a second \
            (column wakes) and memory. The times of today are those of the journal, if 'xphase run' keeps one. \
            If stdout is no terminal, prints the table once, measured over a second.

            KEYS
            \(keys)
            """
    )

    static let keys = """
          up, down  choose a row; also Page Up and Page Down
          f, t, e   freeze or thaw the chosen application, or explain its phase
          h         show only hidden applications, or all again
          s         sort by the next column; a star marks it
          /         show only names that contain a text; Escape shows all
          ?         show these keys
          q         quit
        """

    @OptionGroup var subject: SubjectOptions

    func run(_ io: CommandIO) throws {
        guard let screen = TopScreen() else { return try writeOnce(io) }
        try io.logging { io, log in
            defer { screen.leave() }
            _ = try DisplayPhases.use(on: subject.display, io) { phases in
                let subjects = try Subjects(subject.names, on: phases.displayName)
                let sink = TopSink(screen, subjects, on: phases.displayName, io)
                return try phases.run(into: [sink, log], withScenes: true)
            }
        }
    }

    /// Writes the table once, for a reader that is no terminal.
    private func writeOnce(_ io: CommandIO) throws {
        let (table, events) = try DisplayPhases.use(on: subject.display, io) { phases in
            let subjects = try Subjects(subject.names, on: phases.displayName)
            let name = DisplayFileName(phases.displayName).description
            return (TopTable(palette: io.palette, display: name, subjects: subjects), try phases.present())
        }
        var page = table
        page.journal = TopTable.journal(of: page.display, io.environment, until: Clock.now() + .seconds(1))
        for change in events.compactMap(\.change) { page.take(change, at: .now()) }
        page.hooks = try io.statusIfItAnswers(subject.display)?.rows ?? []
        page.measure(at: Clock.now())
        poll(nil, 0, 1000)
        page.measure(at: Clock.now())
        try io.write(page.wholePage(now: .now()).map { $0 + "\n" }.joined())
    }
}
