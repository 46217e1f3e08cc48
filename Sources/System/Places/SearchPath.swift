import Glibc

/// The directories that are searched for programs.
public struct SearchPath {
    private let directories: [SystemString]

    /// Uses PATH, or else the default directories of execvp(3).
    public init(_ environment: Environment) {
        let text = environment["PATH"] ?? "/bin:/usr/bin"
        directories = text.bytes.split(separator: UInt8(ascii: ":")).map { SystemString(bytes: $0) }
    }

    /// Returns whether a program exists. A name with a slash is a path, relative to the directory.
    public func finds(_ program: SystemString, in directory: SystemString = "/") -> Bool {
        let paths =
            program.bytes.contains(UInt8(ascii: "/"))
            ? [program.isAbsolute ? program : directory.entry(program)]
            : directories.map { $0.entry(program) }
        return paths.contains { path in
            var facts = stat()
            return access(path.cString, X_OK) == 0 && stat(path.cString, &facts) == 0
                && facts.st_mode & S_IFMT == S_IFREG
        }
    }

    /// The names of all entries of the directories, sorted.
    public var programs: [String] {
        Set(directories.flatMap { $0.entryNames ?? [] }.compactMap(\.text)).sorted()
    }
}
