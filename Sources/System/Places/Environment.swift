import CLinux
import Glibc

/// The environment variables of a process.
public struct Environment: Sendable {
    /// The entries, each of the form NAME=VALUE.
    public private(set) var entries: [SystemString]
    /// The entries that `completed` has added.
    public private(set) var found: [SystemString] = []
    /// The runtime directory that `completed` has removed.
    private(set) var removedRuntime: SystemString?

    public init(entries: [SystemString]) { self.entries = entries }

    /// The variables of this process, completed. They are read once, so that all parts use the same directories.
    public static let own = Environment(entries: ownEntries).completed()

    private static var ownEntries: [SystemString] {
        var entries: [SystemString] = []
        var next = linux_environment()
        while let entry = next?.pointee {
            entries.append(SystemString(cString: entry))
            next = next?.advanced(by: 1)
        }
        return entries
    }

    /// Reads the initial environment of another process; nil if it cannot be read.
    public init?(of pid: Int32) {
        guard let bytes = SystemString("/proc/\(pid)/environ").bytesOfFile(limit: 1 << 20) else { return nil }
        entries = bytes.split(separator: 0).map { SystemString(bytes: $0) }
    }

    /// The value of a variable; nil if it is unset or empty.
    public subscript(name: String) -> SystemString? {
        let start = "\(name)="
        guard let entry = entries.first(where: { $0.hasPrefix(start) }) else { return nil }
        let value = SystemString(bytes: entry.bytes.dropFirst(start.utf8.count))
        return value.isEmpty ? nil : value
    }

    /// Returns the path in a variable; nil if it is relative. The XDG Base Directory Specification says to ignore
    /// relative paths.
    public func absolutePath(_ name: String) -> SystemString? {
        self[name].flatMap { $0.isAbsolute ? $0 : nil }
    }

    /// `$XDG_CONFIG_HOME`, else `$HOME/.config`; nil if neither is set.
    public var configurationHome: SystemString? {
        absolutePath("XDG_CONFIG_HOME") ?? self["HOME"].map { $0 + "/.config" }
    }

    /// The working directory of hooks: HOME, or the root directory if HOME cannot be entered.
    public var workingDirectory: SystemString {
        self["HOME"].flatMap { access($0.cString, X_OK) == 0 ? $0 : nil } ?? "/"
    }

    /// The directory of files that outlive the session: `$XDG_STATE_HOME/xphase`, else `$HOME/.local/state/xphase`.
    public func stateDirectory() throws(SystemError) -> SystemString {
        if let state = absolutePath("XDG_STATE_HOME") { return state + "/xphase" }
        guard let home = absolutePath("HOME") else { throw .noHome }
        return home + "/.local/state/xphase"
    }

    /// The directory of files that end with the session: `$XDG_RUNTIME_DIR/xphase`, else `run-HOST` in the state
    /// directory. Another user could claim any name in /tmp first.
    public func runtimeDirectory() throws(SystemError) -> SystemString {
        if let session = absolutePath(Self.runtime) { return session + "/xphase" }
        // Several machines may share a home directory.
        return try stateDirectory() + "/run-\(Host.name)"
    }
}

extension Environment {
    static let runtime = "XDG_RUNTIME_DIR"

    /// Returns the variables with the runtime directory and the session bus that are to be used, in place of unset
    /// ones. A process and the programs that it starts then use the same, and so do a service and a terminal.
    ///
    /// The runtime directory is that of the variable, else the user's own in `sessions`. A variable that names no
    /// directory of the user is removed.
    public func completed(sessions: SystemString = "/run/user") -> Environment {
        var result = self
        let places = [absolutePath(Self.runtime), "\(sessions)/\(geteuid())"].compactMap(\.self)
        result.set(Self.runtime, places.first(where: Self.isOwnDirectory))
        let given = absolutePath(Self.runtime)
        result.removedRuntime = given == result[Self.runtime] ? nil : given
        if self[BusAddress.sessionVariable] == nil {
            result.set(BusAddress.sessionVariable, BusAddress.session(result)?.text)
        }
        return result
    }

    private static func isOwnDirectory(_ path: SystemString) -> Bool {
        var facts = stat()
        return stat(path.cString, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
            && facts.st_uid == geteuid()
    }

    private mutating func set(_ name: String, _ value: SystemString?) {
        if self[name] == value { return }
        entries.removeAll { $0.hasPrefix("\(name)=") }
        guard let value else { return }
        let entry: SystemString = "\(name)=\(value)"
        entries.append(entry)
        found.append(entry)
    }
}

extension OwnDirectory {
    /// Returns the runtime directory, which it creates if it is missing. No other user may have access to it.
    public static func runtime(_ environment: Environment) throws(SystemError) -> OwnDirectory {
        try OwnDirectory(making: environment.runtimeDirectory(), forbidding: 0o077)
    }
}

/// This machine, as uname(2) describes it.
public enum Host {
    public static var name: SystemString {
        var names = utsname()
        guard uname(&names) == 0 else { return "" }
        return withUnsafeBytes(of: names.nodename) { SystemString(bytes: $0.prefix { $0 != 0 }) }
    }
}
