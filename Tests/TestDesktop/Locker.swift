/// A screen locker from its Debian package.
public enum Locker: String, Sendable, CustomStringConvertible {
    case i3lock, slock, xsecurelock, xscreensaver

    public var description: String { rawValue }

    /// Locks a display.
    ///
    /// - Parameter folder: A folder for the locker's files.
    /// - Returns: The program that holds the lock. Killing it unlocks the display.
    public func start(_ display: VirtualDisplay, _ folder: TemporaryFolder) throws -> Program {
        let environment = display.environment.merging(["HOME": folder.path]) { $1 }
        switch self {
        case .i3lock: return try Program("i3lock", ["--nofork"], environment: environment)
        case .xsecurelock: return try Program("xsecurelock", environment: environment)
        case .slock:
            // The installed file has the right to escape the out-of-memory killer, so its user must have that right,
            // too. A copy needs none.
            let installed = try Program.find("slock", package: "suckless-tools")
            _ = try Program.run("cp", [installed, "\(folder.path)/slock"])
            return try Program("\(folder.path)/slock", environment: environment)
        case .xscreensaver:
            // XScreenSaver does not lock for root.
            _ = try Program.run("chmod", ["777", folder.path])
            let settings = "mode: blank\nlock: True\nfade: False\nsplash: False\n"
            try folder.write(".xscreensaver", settings, mode: 0o644)
            func asNobody(_ name: String, _ option: String) throws -> Program {
                let path = try Program.find(name, package: "xscreensaver")
                return try Program(
                    "setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", path, option],
                    package: "util-linux", environment: environment)
            }
            let daemon = try asNobody("xscreensaver", "--no-splash")
            let isLocked = try waitUntil { try asNobody("xscreensaver-command", "-lock").exitCode() == 0 }
            guard isLocked else { throw Failure("xscreensaver does not lock") }
            return daemon
        }
    }
}
