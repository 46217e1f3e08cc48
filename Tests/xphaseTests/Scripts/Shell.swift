import TestDesktop

/// A bash with the script for completions.
enum Shell {
    private static func environment(
        _ display: VirtualDisplay, _ more: [String: String?]
    ) -> [String: String?] {
        display.environment.merging(
            ["PATH": XPhase.searchPath, "HISTFILE": nil, "TERM": "dumb", "LC_ALL": "C.UTF-8"]
        ) { $1 }.merging(more) { $1 }
    }

    /// Calls the function as readline does. Each line is followed by its completions, prefixed with a plus sign.
    private static let script = #"""
        source <(xphase --generate-completion-script bash)
        for line; do
            printf '%s\n' "$line"
            COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
            read -ra COMP_WORDS <<<"$line"
            [[ $line == *' ' ]] && COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _xphase xphase "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            ((${#COMPREPLY[@]} == 0)) || printf '+%s\n' "${COMPREPLY[@]}"
        done
        """#

    /// Returns the completions that bash offers for each line.
    ///
    /// - Parameter more: The variables that differ from those of a shell with an empty home.
    static func completions(
        of lines: [String], on display: VirtualDisplay, environment more: [String: String?] = [:]
    ) throws -> [Set<String>] {
        let home = try TemporaryFolder()
        let base: [String: String?] = ["HOME": home.path, "XDG_CONFIG_HOME": home.path]
        let bash = try Program.run(
            "bash", ["--norc", "-c", script, "bash"] + lines,
            environment: environment(display, base.merging(more) { $1 }))
        var answers: [Set<String>] = []
        for line in bash.output {
            if line.first != "+" {
                answers.append([])
            } else {
                answers[answers.count - 1].insert(String(line.dropFirst()))
            }
        }
        guard answers.count == lines.count else { throw Failure("bash does not answer: \(bash)") }
        return answers
    }

    /// Types a line into bash on a terminal, where readline completes at Tab.
    ///
    /// - Returns: The text that the terminal shows.
    static func text(typing line: String, on display: VirtualDisplay) throws -> String {
        let terminal = try Terminal()
        let bash = try Program(
            "bash", ["--norc", "--noprofile", "-i"], environment: environment(display, ["PS1": "ready\n"]),
            terminal: terminal)
        for text in ["source <(xphase --generate-completion-script bash)\n", "\(line); exit\n"] {
            while try terminal.output.next()?.hasPrefix("ready") == false {}
            terminal.type(text)
        }
        let code = try bash.exitCode()
        guard code == 0 else { throw Failure("'\(line)' exits \(code): \(try terminal.text())") }
        return try terminal.text()
    }
}
