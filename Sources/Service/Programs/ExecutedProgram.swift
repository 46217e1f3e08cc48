import System

/// What a process executes.
struct ExecutedProgram: Hashable {
    let file: SystemString
    /// The command line of an interpreter, whose file is that of many programs; empty for others, nil if the process does
    /// not answer.
    let arguments: [String]?

    /// Reads what a process executes now; nil if it has ended, or hides that from this user. May wait for its memory.
    init?(of pid: Int32) {
        let text = ProcessFolder(pid: pid)?.text("cmdline") ?? ""
        // Read last: what has ended meanwhile has no arguments.
        guard let file = Self.file(of: pid) else { return nil }
        self.init(file, commandLine: text.split(separator: "\0").map(String.init))
    }

    init(_ file: SystemString, commandLine: [String]? = []) {
        self.file = file
        arguments = Self.isInterpreter(file) ? commandLine : []
    }

    /// Returns the file that a process executes now; nil if it has ended, or hides that from this user.
    static func file(of pid: Int32) -> SystemString? { SystemString("/proc/\(pid)/exe").linkTarget }

    /// Returns whether it is another program, or may be one: an interpreter that does not answer.
    func mayDiffer(from other: Self) -> Bool { self != other || arguments == nil }

    // MARK: Scripts

    private static let interpreters: Set = [
        "bash", "dash", "electron", "fish", "gjs", "guile", "java", "ksh", "lua", "mono", "node", "nodejs",
        "perl", "php", "pypy", "python", "ruby", "sh", "tclsh", "wine", "wish", "zsh",
    ]
    /// The options whose values could be mistaken for a script.
    private static let valued: Set = [
        "-cp", "-classpath", "--class-path", "--module-path", "-r", "--require", "-X", "-W", "-I",
    ]

    private static func isInterpreter(_ file: SystemString) -> Bool {
        let name = file.components.last?.description ?? ""
        return interpreters.contains(String(name.prefix { $0.isLetter }))
    }

    /// The name of the script, main class or module that an interpreter executes; nil for another program, or if there is
    /// none.
    var script: String? {
        // Wine replaces the first argument with the path of the program.
        var script = arguments?.first { $0.lowercased().hasSuffix(".exe") }
        var rest = (arguments ?? []).dropFirst()
        while script == nil, let argument = rest.popFirst() {
            if Self.valued.contains(argument) {
                rest = rest.dropFirst()
            } else if !argument.hasPrefix("-") {
                script = argument
            }
        }
        // A second start may name the same script by another path.
        return script?.split { $0 == "/" || $0 == "\\" }.last.map(String.init)
    }
}
