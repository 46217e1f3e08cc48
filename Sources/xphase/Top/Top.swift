import ArgumentParser
import Console
import PhaseWatch

struct Top: Command {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Show applications, phases and hooks live, full screen.",
        discussion: """
            Redraws after each change, and measures each application every 3 s: processor time, wake-ups a second \
            (column wakes) and memory. The times of today are those of the journal, if 'xphase run' keeps one.

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
        guard let screen = TopScreen() else {
            throw CommandFailure.misuse("top needs a full-screen terminal: use 'xphase watch'")
        }
        defer { screen.leave() }
        _ = try DisplayPhases.use(on: subject.display, io) { phases in
            let subjects = try Subjects(subject.names, on: phases.displayName)
            let sink = TopSink(screen, subjects, on: phases.displayName, io)
            return try phases.run(into: [sink], withScenes: true)
        }
    }
}
