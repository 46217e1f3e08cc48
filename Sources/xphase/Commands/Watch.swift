import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct Watch: Command {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print each phase change.",
        usage: "xphase [watch] [app…] [options]",
        discussion: """
            Prints the phase of each application at the start and after each change, until Ctrl-C. Runs no hooks.

            EXAMPLES
              xphase watch mpv vlc --no-initial
              xphase watch $WINDOWID
              xphase --json | jq --unbuffered -r 'select(.to == "active").application'
              xphase watch --format '{time} {application} {from} {to}'
              xphase watch --json >>phases.jsonl     rotate it with logrotate's copytruncate
            """
    )

    @OptionGroup var lines: LineOptions

    @Flag(help: "Do not print the phases at the start.")
    var noInitial = false

    @Flag(help: .titles)
    var titles = false

    @OptionGroup var rule: RuleOptions

    @OptionGroup var subject: SubjectOptions

    func run(_ io: CommandIO) throws {
        try io.logging { io, log in
            var options = try io.options(on: subject.display)
            rule.apply(to: &options)
            let watcher = try OpenDisplay.watcher(options, io)
            let subjects = try Subjects(subject.names, on: watcher.displayName)
            let sink = lines.sink(io, subjects, titles: titles, hidesInitial: noInitial)
            sink.say = io.say
            _ = try watcher.watch(into: [sink, AbsenceNote(subjects, io), log])
        }
    }
}

/// Reports at the start the first name that matches nothing: it may be misspelled.
private final class AbsenceNote: WatchMember {
    private let subjects: Subjects
    private let io: CommandIO
    private var isDue = true

    init(_ subjects: Subjects, _ io: CommandIO) { (self.subjects, self.io) = (subjects, io) }

    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) {
        if isDue, let failure = subjects.absence(among: events) {
            io.say(failure.awaited)
        }
        isDue = false
    }
}
