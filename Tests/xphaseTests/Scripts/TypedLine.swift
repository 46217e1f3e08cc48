import TestDesktop

extension Shell {
    /// Types a line into bash on a terminal, where readline completes at Tab.
    ///
    /// - Returns: The text that the terminal shows.
    static func bash(
        typing line: String, on display: VirtualDisplay, environment: [String: String?] = [:]
    ) throws -> String {
        let terminal = try Terminal()
        let bash = try Program(
            "bash", ["--norc", "--noprofile", "-i"],
            environment: display.environment.merging([
                "PATH": XPhase.searchPath, "HISTFILE": nil, "TERM": "dumb", "LC_ALL": "C.UTF-8",
                "PS1": "ready\n",
            ]) { $1 }.merging(environment) { $1 }, terminal: terminal)
        for text in ["source <(xphase --generate-completion-script bash)\n", "\(line); exit\n"] {
            while try terminal.output.next()?.hasPrefix("ready") == false {}
            terminal.type(text)
        }
        let code = try bash.exitCode()
        guard code == 0 else { throw Failure("'\(line)' exits \(code): \(try terminal.text())") }
        return try terminal.text()
    }
}
