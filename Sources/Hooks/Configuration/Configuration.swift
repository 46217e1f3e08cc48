import Console
import Glibc
import PhaseWatch
import System

/// The contents of config.toml.
public struct Configuration: Equatable, Sendable {
    private static let mostBytes = 1 << 20

    /// The rule for phases; options of a command line override it.
    public var options = PhaseMonitor.Options()
    public var journal = JournalSettings()
    /// In file order.
    public var hooks: [Hook] = []

    /// The keys above all tables, in the order of the manual, which describes them.
    static let keys: [Key<Configuration>] = [
        Key("policy", .word(), sets: \.options.policy),
        Key("settle", .duration(), sets: \.options.settle),
        Key("session", .wordsOrNone(), sets: \.options.hidingStates),
        Key("occlusion", .limit(), sets: \.options.occlusion),
        Key("idle", .limit(isPositive: true), sets: \.options.idle),
        Key("journal", .boolean(), sets: \.journal.isOn),
        Key("titles", .boolean(), sets: \.journal.titles),
        Key("journal-exclude", .patterns(), sets: \.journal.excluded),
        Key("keep", .days(), sets: \.journal.days),
    ]

    public init() {}

    /// Parses TOML.
    ///
    /// - Parameter file: The file name at the start of each fault.
    /// - Throws: The first syntax error, or else every wrong key and value.
    public init(text: String, file: String) throws(ConfigurationError) {
        var reader = TableReader(try TOML(document: text, file: file))
        reader.read(
            Self.keys, of: "keys", into: &self, others: ["hook"],
            elsewhere: (
                Hook.keys.map(\.name),
                "it is a key of a hook: move the line below the [[hook]] that it is for"
            ))
        let tables = reader.read("hook", .hooks()) ?? []
        var faults = reader.faults.map { (line: $0.line, text: $0.text) }
        // The number of the first hook with each name.
        var numbers: [String: Int] = [:]
        for (number, table) in zip(1..., tables) {
            var reader = TableReader(table)
            if let hook = Hook(&reader) { hooks.append(hook) }
            let name = reader.string("name")
            if let first = name.flatMap({ numbers[$0] }) {
                reader.fault("name", "hook[\(first)] already has this name")
            } else if let name {
                numbers[name] = number
            }
            let place = "hook[\(number)]" + (name.map { " \($0.quoted)" } ?? "")
            faults += reader.faults.map { ($0.line, "\(place): \($0.text)") }
        }
        if faults.isEmpty { return }
        faults.sort { $0.line < $1.line }
        throw ConfigurationError(
            faults: faults.map { "\(file.escapedForTerminal):\($0.line): \($0.text)" })
    }

    /// Reads a file that only the user and root can write or replace; for `-`, stdin.
    ///
    /// - Returns: nil if there is no such file.
    /// - Throws: All faults of the file or of its contents.
    public init?(file path: SystemString) throws(ConfigurationError) {
        let isStandardInput = path == "-"
        let name = isStandardInput ? Self.standardInput : path.description
        guard let bytes = isStandardInput ? try Self.bytesOfStandardInput() : try Self.bytes(of: path) else {
            return nil
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            let line = 1 + lines.prefix { String(validating: $0, as: UTF8.self) != nil }.count
            throw ConfigurationError("\(name):\(line)", ["is not UTF-8: save the file as UTF-8"])
        }
        try self.init(text: text, file: name)
    }

    /// Returns the bytes of a file that only the user and root can write or replace; nil if there is no such file.
    private static func bytes(of path: SystemString) throws(ConfigurationError) -> [UInt8]? {
        let name = path.description
        var status = stat()
        let file: Descriptor
        do throws(SystemError) {
            file = try Descriptor(
                "open", open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
        } catch  where [ENOENT, ENOTDIR].contains(error.code) {
            return nil
        } catch {
            let remedy = error.code == EACCES ? ": \(Trust.remedy(forUnreadable: path))" : ""
            throw ConfigurationError(name, ["cannot be read: \(error.reason)\(remedy)"])
        }
        // The path may lead to another file by now.
        guard fstat(file.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG else {
            throw ConfigurationError(name, ["is not a regular file"])
        }
        let faults = Trust.faults(of: status, at: path)
        if !faults.isEmpty { throw ConfigurationError(name, faults) }
        return try bytes(of: file, name)
    }

    private static func bytes(of file: Descriptor, _ name: String) throws(ConfigurationError) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try file.readAll(SystemString(name), limit: mostBytes)
        } catch {
            throw ConfigurationError(name, ["cannot be read: \(error.reason)"])
        }
        guard let bytes else { throw ConfigurationError(name, ["is larger than 1 MiB"]) }
        return bytes
    }
}

/// The configuration on standard input.
extension Configuration {
    /// Its name in messages.
    static let standardInput = "standard input"

    /// Returns whether this path of a configuration is standard input: that of this process, or that which a service keeps.
    public static func isStandardInput(_ path: String) -> Bool {
        path == "-" || path.hasPrefix("/proc/") && path.hasSuffix("/fd/0")
    }

    /// Returns the name of a configuration for messages.
    public static func name(of path: String) -> String { isStandardInput(path) ? standardInput : path }

    private static func bytesOfStandardInput() throws(ConfigurationError) -> [UInt8] {
        let file: Descriptor
        do throws(SystemError) {
            file = try Descriptor("dup", fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
        } catch {
            throw ConfigurationError(standardInput, ["cannot be read: \(error.reason)"])
        }
        return try bytes(of: file, standardInput)
    }

    /// Replaces standard input by a file in memory with the same contents, which only this user may read. The program that
    /// replaces this one reads them again, and so do commands, as `/proc/PID/fd/0`.
    public static func keepStandardInput() throws(ConfigurationError) {
        let bytes = try bytesOfStandardInput()
        do throws(SystemError) {
            let memory = try Descriptor.memory(bytes)
            try SystemError.check("fchmod", fchmod(memory.number, 0o600))
            try SystemError.check("dup2", dup2(memory.number, STDIN_FILENO))
        } catch {
            throw ConfigurationError(standardInput, ["cannot be kept: \(error)"])
        }
    }

    /// Has the next reader begin at the start of what `keepStandardInput` has kept.
    public static func rewindStandardInput() { lseek(STDIN_FILENO, 0, SEEK_SET) }
}

/// The faults of a configuration.
public struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// One line for each fault: `config.toml:12: hook[2] 'slow down': after: …`.
    public let faults: [String]

    public init(faults: [String]) {
        self.faults = faults
    }

    init(_ path: String, _ faults: [String]) {
        self.init(faults: faults.map { "\(path.escapedForTerminal): \($0)" })
    }

    public var description: String { faults.joined(separator: "\n") }
}
