import ArgumentParser
import CLinux
import Console
import Glibc
import PhaseWatch
import Service
import System

/// Parses the arguments, runs the command, and turns an error into a line on stderr and an exit code.
@main
enum Main {
    static func main() {
        StandardOutput.reserveDescriptors()
        // write(2) then fails with EPIPE if the reader closes the pipe, which is not an error.
        signal(SIGPIPE, SIG_IGN)
        // write(2) then fails with EFBIG at a limit on the file size.
        signal(SIGXFSZ, SIG_IGN)
        exit(run(Arguments.own, CommandIO()))
    }

    /// Runs a command line, and returns its exit code.
    static func run(_ arguments: [String], _ io: CommandIO) -> Int32 {
        let words = RuleOptions.complete(arguments)
        let arguments = words == ["help", "help"] ? ["help"] : words
        do {
            if arguments == ["help", "exit-codes"] {
                try io.write(XPhase.exitCodes)
                return Exit.done
            }
            try XPhase.refuseUnknownCommand(in: arguments)
            var command = try parse(arguments)
            // ArgumentParser's own `help` throws its text.
            if let command = command as? any Command { try command.run(io) } else { try command.run() }
            return Exit.done
        } catch {
            return report(error, arguments, io)
        }
    }

    /// Parses the arguments with the named command alone. The whole command tree takes twice as long, and is needed
    /// only for errors and help.
    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        let (named, words) = XPhase.command(for: arguments)
        let type: any ParsableCommand.Type = named == XPhase.self ? Watch.self : named
        if let command = try? type.parseAsRoot(Array(words)),
            Swift.type(of: command) == type
        {
            return command
        }
        return try XPhase.parseAsRoot(arguments)
    }

    /// Writes the message of an error, and returns its exit code.
    private static func report(_ error: any Error, _ arguments: [String], _ io: CommandIO) -> Int32 {
        guard let error = error as? any ExitCoded else { return reportParsing(error, arguments, io) }
        error.messages.forEach(io.say)
        return error.exitCode
    }

    private static func reportParsing(_ error: any Error, _ arguments: [String], _ io: CommandIO) -> Int32 {
        let code = XPhase.exitCode(for: error).rawValue
        if code == Exit.done, let word = Arguments.unintendedHelpOption(in: arguments) {
            io.say(
                "there is no option '\(Arguments.decode(word))'; a name that begins with '-' goes after --\n"
                    + "Try '\(XPhase.help(for: arguments))'.")
            return Exit.misuse
        }
        guard code != Exit.done else {
            let text = XPhase.fullMessage(for: error)
            let command = XPhase.command(for: arguments.filter { $0 != "help" }).command
            if command == XPhase.self { return print(text, io) }
            let watch = command == Watch.self ? nil : XPhase.helpMessage(for: Watch.self)
            return print(HelpPage.shortened(text, sharedWith: watch), io)
        }
        var message = XPhase.message(for: error)
        if message.hasPrefix("Unknown option") && !message.contains("Did you mean") {
            message += "; the options are " + XPhase.optionNames(for: arguments).joined(separator: ", ")
        }
        if message.contains("nexpected argument"), let command = XPhase.commandAfterOptions(in: arguments) {
            message += "; write options after the command: xphase \(command) …"
        }
        io.say(Arguments.decode(message).description + "\nTry '\(XPhase.help(for: arguments))'.")
        return code
    }

    /// Prints a text that ArgumentParser throws: help, the version or a completion script.
    private static func print(_ text: String, _ io: CommandIO) -> Int32 {
        do throws(CommandFailure) {
            try io.write(text + "\n")
            return Exit.done
        } catch {
            return report(error, [], io)
        }
    }
}
