import Glibc
import System

/// The files that start the service at login, with a line that calls `xphase session start` or `xphase run`.
struct LoginFiles {
    /// Those of packages, which start it if it is enabled.
    private static let installed: [SystemString] = [
        "/etc/xdg/autostart/xphase.desktop", "/etc/X11/Xsession.d/95xphase",
        "/etc/X11/xinit/xinitrc.d/95xphase.sh",
    ]
    /// Those of a user, below the home directory: of X sessions and display managers.
    private static let ofSessions = [".xsession", ".xinitrc", ".xsessionrc", ".xprofile", ".i3/config"]
    /// Those of a user, below `$XDG_CONFIG_HOME`.
    private static let ofDesktops = ["openbox/autostart", "i3/config", "autostart/xphase.desktop"]
    private static let limit = 1 << 16

    /// The files that call `xphase session start`, which starts the service if it is enabled.
    let ifEnabled: [String]
    /// The files that call `xphase run`, which starts in any case.
    let always: [String]

    /// - Parameter environment: HOME and XDG_CONFIG_HOME locate the files of the user.
    init(_ environment: Environment) {
        let home = environment.absolutePath("HOME")
        let places =
            Self.ofSessions.compactMap { name in home?.entry(SystemString(name)) }
            + Self.ofDesktops.compactMap { name in environment.configurationHome?.entry(SystemString(name)) }
        let calls = places.map { ($0.abbreviated(in: home), Self.calls(in: $0.contents(limit: Self.limit))) }
        ifEnabled =
            Self.installed.filter { access($0.cString, R_OK) == 0 }.map(\.description)
            + calls.filter { $0.1.contains("session") }.map(\.0)
        always = calls.filter { $0.1.contains("run") }.map(\.0)
    }

    /// Returns the commands of xphase that a script or a configuration calls, of those that start the service.
    static func calls(in text: String?) -> Set<String> {
        let separators = Set(" \t;&|()\"'=")
        let calls = (text ?? "").split(separator: "\n").flatMap { line in
            let words = line.split(whereSeparator: separators.contains).prefix { !$0.hasPrefix("#") }
            return words.indices.filter { words[$0] == "xphase" || words[$0].hasSuffix("/xphase") }
                .map { words[($0 + 1)...].prefix(2) }
        }
        return Set(
            calls.compactMap { words in
                if words.first == "run" { return "run" }
                return words.elementsEqual(["session", "start"]) ? "session" : nil
            })
    }
}

extension SystemString {
    /// The path with `~` for the home directory.
    fileprivate func abbreviated(in home: SystemString?) -> String {
        guard let home, hasPrefix("\(home.description)/") else { return description }
        return "~" + description.dropFirst(home.description.count)
    }
}
