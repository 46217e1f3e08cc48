import Glibc

/// Directories in which programs are looked for.
public struct SearchPath: CustomStringConvertible {
    private let text: SystemString
    private let directories: [SystemString]

    /// PATH, or else the directories in which execvp(3) looks.
    public init(_ environment: Environment) {
        text = environment["PATH"] ?? "/bin:/usr/bin"
        directories = text.bytes.split(separator: UInt8(ascii: ":")).map { SystemString(bytes: $0) }
    }

    public var description: String { text.description }

    /// Whether a program is there; one with a slash is not looked for, but opened.
    ///
    /// - Parameter directory: That of relative paths.
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

    /// The names of all programs, sorted.
    public var programs: [String] {
        Set(directories.flatMap { $0.entryNames ?? [] }.compactMap(\.text)).sorted()
    }
}
