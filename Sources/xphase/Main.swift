import ArgumentParser
import CLinux
import Console
import Glibc
import Hooks
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
        exit(run(Arguments.own.map(\.description), CommandIO()))
    }

    /// Runs a command line, and returns its exit code.
    static func run(_ arguments: [String], _ io: CommandIO) -> Int32 {
        var io = io
        io.hint = { Mistakes.hint(about: arguments) }
        var isParsed = false
        do {
            var parsed = try CommandOrder.parsed(arguments)
            isParsed = true
            // ArgumentParser's own `help` throws its text.
            guard let command = parsed as? any Command else {
                try parsed.run()
                return Exit.done
            }
            if let user = io.environment.otherUser { throw CommandFailure.isOf(user) }
            try command.run(io)
            return Exit.done
        } catch let error as any ExitCoded {
            // The words of a command that refuses them are explained.
            if !isParsed { io.hint = { nil } }
            io.explain(error)
            return error.exitCode
        } catch {
            return report(error, io)
        }
    }

    /// Writes a text that ArgumentParser throws: a message, help, the version or a completion script.
    ///
    /// - Returns: The exit code.
    private static func report(_ error: any Error, _ io: CommandIO) -> Int32 {
        let (code, text) = (XPhase.exitCode(for: error).rawValue, XPhase.fullMessage(for: error))
        guard code == Exit.done else {
            io.say(text.replacing("Error: ", with: "", maxReplacements: 1))
            io.hint().map(io.say)
            return code
        }
        do throws(CommandFailure) {
            try io.write(text.replacing("  --version    ", with: "  -V, --version") + "\n")
            return Exit.done
        } catch {
            io.explain(error)
            return error.exitCode
        }
    }
}
