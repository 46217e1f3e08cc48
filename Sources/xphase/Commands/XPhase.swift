import ArgumentParser

/// The command that users type.
struct XPhase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "xphase",
        abstract: "Tells in which phase each application on an X11 desktop is.",
        usage: """
            xphase [watch] [options]
            xphase <subcommand> [options]
            """,
        discussion: """
            An application is active while one of its windows has the focus, inactive while its windows \
            are only visible, and in the background while none of them can be seen. Each change is a line.

            EXAMPLES
              xphase                            show every change, for people
              xphase --json                     for programs: one JSON object a line
              xphase --application 'firefox*'   only some applications
              xphase --level scene              single windows
              xphase list                       what is there now, as a tree
              xphase explain firefox            why it is in its phase

            EXIT CODES
              0   done; also after SIGINT and SIGTERM, and when the reader goes away
              1   explain: there is no such application or window;
                  doctor: phases cannot be trusted on this display
              64  misuse: the message names the valid words
              69  no display, or the X server went away
              71  the system refused something that the watch needs
              74  the output failed: the disk is full, say
            """,
        version: "0.1.0",
        subcommands: [Watch.self, List.self, Explain.self, Doctor.self],
        defaultSubcommand: Watch.self
    )

    /// A mistyped command would be taken for an argument of the default one, and the message would not help.
    static func refuseUnknownCommand(in arguments: [String]) throws(Misuse) {
        guard let word = arguments.first, !word.hasPrefix("-") else { return }
        let names = configuration.subcommands.map { $0._commandName } + ["help"]
        if !names.contains(word) {
            throw Misuse(
                "there is no command '\(word.escapedForTerminal)'; the commands are \(names.joined(separator: ", "))"
            )
        }
    }

    /// The long options of the command that some arguments are for, as its help shows them.
    static func optionNames(for arguments: [String]) -> [String] {
        let command = configuration.subcommands.first { $0._commandName == arguments.first } ?? Watch.self
        return helpMessage(for: command).split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix("--") || $0.hasPrefix("-h,") }
            .compactMap { line in line.split(separator: " ").first { $0.hasPrefix("--") }.map(String.init) }
    }
}
