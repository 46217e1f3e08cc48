import Console
import Glibc
import PhaseWatch
import System

/// The hooks of the configuration and of hooks.d.
public struct LoadedHooks: Equatable, Sendable {
    public private(set) var configuration = Configuration()
    /// The configuration file; nil if none exists.
    public private(set) var file: SystemString?
    /// The hooks of the configuration in file order, then those of hooks.d by name.
    public var hooks: [Hook]
    /// Messages about entries of hooks.d that do not run, with the reason and the remedy.
    public private(set) var warnings: [String] = []

    /// Creates an instance with a single hook that is in no file.
    public init(_ hook: Hook) { hooks = [hook] }

    /// Reads the configuration and hooks.d.
    ///
    /// - Throws: All faults of the configuration.
    public init(_ locations: HookLocations) throws(ConfigurationError) {
        if let found = try Self.firstConfiguration(locations) {
            file = found.file
            configuration = found.configuration
        } else if let file = locations.required {
            throw ConfigurationError(file.description, ["there is no such file"])
        }
        hooks = configuration.hooks
        if let directory = locations.directory { addHooks(in: directory) }
    }

    /// Returns the first configuration that exists.
    static func firstConfiguration(
        _ locations: HookLocations
    ) throws(ConfigurationError) -> (file: SystemString, configuration: Configuration)? {
        for file in locations.configurations {
            if let configuration = try Configuration(file: file) { return (file, configuration) }
        }
        return nil
    }

    /// The configuration file for messages; nil if none exists.
    public var source: String? { file.map { Configuration.name(of: $0.description) } }

    private static let mostRemarks = 10

    /// Shortens messages about hooks for a log: each file in hooks.d may cause one.
    public static func shortened(_ remarks: [String]) -> [String] {
        let rest = remarks.count - mostRemarks
        if rest <= 0 { return remarks }
        let more = "there are \(rest) more such messages: run 'xphase hooks check'"
        return remarks.prefix(mostRemarks) + [more]
    }

    /// `3 hooks from /home/me/.config/xphase/config.toml, 1 from hooks.d`.
    public var summary: String {
        let configured = configuration.hooks.count
        let parts = [
            source.map { "\(configured.of("hook")) from \($0)" },
            hooks.count > configured ? "\(hooks.count - configured) from hooks.d" : nil,
        ]
        let text = parts.compactMap(\.self).joined(separator: ", ")
        return text.isEmpty ? "no hooks" : text
    }
}

/// The executables in hooks.d.
extension LoadedHooks {
    /// Adds the executables in hooks.d, sorted by the bytes of their names, and warnings about entries that do not run.
    /// A missing directory has none.
    private mutating func addHooks(in path: SystemString) {
        var status = stat()
        let names: [SystemString]
        do throws(SystemError) {
            try SystemError.check("stat", stat(path.cString, &status))
            names = try path.listed()
        } catch {
            if error.cause.call == "stat" && [ENOENT, ENOTDIR].contains(error.code) { return }
            return warn(path, [error.code == ENOTDIR ? "is not a directory" : error.reason])
        }
        let faults = Trust.faults(of: status, at: path)
        if !faults.isEmpty { return warn(path, faults.map { "\($0); none of its hooks run" }) }
        // Hidden files and backup copies of editors are no hooks.
        let visible = names.filter { !$0.hasPrefix(".") && !$0.hasSuffix("~") }
        for name in visible.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            let entry = path.entry(name)
            guard let faults = Self.faults(of: entry, name) else { continue }
            warn(entry, faults)
            if !faults.isEmpty { continue }
            let reaction = Hook.Reaction.run(.arguments([entry]))
            hooks.append(Hook(name: Hook.directoryPrefix + name.description, reaction: reaction))
        }
    }

    private mutating func warn(_ path: SystemString, _ faults: [String]) {
        warnings += faults.map { "\(path.description.escapedForTerminal): \($0)" }
    }

    /// Returns why an entry is no hook; nil for a directory.
    private static func faults(of path: SystemString, _ name: SystemString) -> [String]? {
        guard let text = name.text else { return ["its name is not UTF-8"] }
        var status = stat()
        do throws(SystemError) { try SystemError.check("stat", stat(path.cString, &status)) } catch {
            return ["cannot be run: \(error.reason)"]
        }
        if status.st_mode & S_IFMT == S_IFDIR { return nil }
        if let fault = Hook.fault(inName: text) { return [fault] }
        guard status.st_mode & S_IFMT == S_IFREG else { return ["is not a regular file"] }
        guard access(path.cString, X_OK) == 0 else {
            return ["is not executable: chmod +x \(path.quotedForShell.escapedForTerminal)"]
        }
        return Trust.faults(of: status, at: path) + (Self.faultOfFirstLine(of: path).map { [$0] } ?? [])
    }

    /// Returns why the kernel would not start an executable; nil if it is a program, or begins with the name of one.
    private static func faultOfFirstLine(of path: SystemString) -> String? {
        guard let bytes = start(of: path) else { return nil }
        guard bytes.starts(with: "#!".utf8) else {
            return "cannot start: write a first line that names its interpreter, such as #!/bin/sh"
        }
        let line = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
        let name = words(of: line).first ?? ""
        if line.last == UInt8(ascii: "\r") {
            return
                "cannot start: its first line names \(name.description.quoted): save it with Unix line ends"
        }
        if access(name.cString, X_OK) == 0 { return nil }
        return
            "cannot start: its first line names \(name.description.quoted), which does not exist or is not executable"
    }

    /// Returns the first bytes of a text; nil for a program, for whose format the kernel may know an interpreter, and for
    /// what cannot be read: it may be executed all the same.
    private static func start(of path: SystemString) -> [UInt8]? {
        guard let file = try? Descriptor("open", open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(file.number, &bytes, bytes.count)
        bytes.removeLast(bytes.count - max(0, count))
        return bytes.contains(0) ? nil : bytes
    }

    private static func words(of line: some Sequence<UInt8>) -> [SystemString] {
        Array(line).split { " \t".utf8.contains($0) }.map { SystemString(bytes: $0) }
    }

    /// Returns the program that env(1) runs a script with, as its first line says: `#!/usr/bin/env python3`; nil for
    /// another file.
    static func interpreter(ofScript path: SystemString) -> SystemString? {
        guard let bytes = start(of: path), bytes.starts(with: "#!".utf8) else { return nil }
        let words = words(of: bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") })
        guard let first = words.first, first.hasSuffix("/env") else { return nil }
        return words.dropFirst().first { !$0.hasPrefix("-") && !$0.bytes.contains(UInt8(ascii: "=")) }
    }
}

/// The paths that hooks are read from.
public struct HookLocations: Hashable, Sendable {
    /// The file that the user named, which must exist.
    public let required: SystemString?
    /// The file that the user may change; nil if neither XDG_CONFIG_HOME nor HOME is set.
    let writable: SystemString?
    /// hooks.d; nil if neither XDG_CONFIG_HOME nor HOME is set.
    public var directory: SystemString?

    /// - Parameters:
    ///   - config: The file that the user named.
    ///   - environment: XDG_CONFIG_HOME and HOME are used.
    public init(config: SystemString?, environment: Environment) {
        let own = environment.configurationHome
        directory = own.map { $0 + "/xphase/hooks.d" }
        required = config
        writable = config ?? own.map { $0 + "/xphase/config.toml" }
    }

    /// Possible configuration files; the first that exists is read.
    public var configurations: [SystemString] {
        required.map { [$0] } ?? [writable, "/etc/xdg/xphase/config.toml"].compactMap(\.self)
    }

    /// Paths whose modification triggers a reload.
    public var watched: [SystemString] { configurations + (directory.map { [$0] } ?? []) }
}

extension [Hook] {
    /// The details of scenes that the hooks need.
    public var details: PhaseWatcher.Details {
        reduce(.owners) {
            $0.union($1.condition.criteria.details)
                .union($1.condition.changes == .scene ? [.titles, .locations] : [])
                .union($1.followsTitles ? .titleChanges : []).union($1.builtIns.isEmpty ? [] : .signs)
        }
    }
}
