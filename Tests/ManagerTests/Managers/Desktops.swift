/// Whole desktops, which only `packaging/test --all-window-managers` starts: their session managers, with the window manager, the
/// panel, the desktop window and whatever else they start.
extension Manager {
    static let desktops: [Manager] = [xfce, mate, lxqt, cinnamon, plasma, flashback]

    private static let withoutRestart: [Request: String] = Dictionary(
        uniqueKeysWithValues: [.restart, .keepIconified, .replace, .replaceByAnother].map {
            ($0, "its session manager starts it again")
        })

    private static func desktop(
        _ name: String, as current: String, package: String, program: String, arguments: [String] = [],
        files: [String: String] = [:],
        variables: [String: String] = [:], preparation: String = "",
        methods: [Request: [RequestMethod]] = [:],
        cannot: [Request: String] = [:]
    ) -> Manager {
        Manager(
            name: name, package: package, program: program, arguments: arguments, files: files,
            variables: variables + ["XDG_CURRENT_DESKTOP": current, "GSETTINGS_BACKEND": "memory"],
            companions: [.bus], preparation: preparation, methods: methods,
            cannot: cannot + withoutRestart + withoutTabs + withoutMonitors)
    }

    static let xfce = desktop("Xfce", as: "XFCE", package: "xfce4-session", program: "xfce4-session")
    static let mate = desktop("MATE", as: "MATE", package: "mate-session-manager", program: "mate-session")
    static let lxqt = desktop(
        "LXQt", as: "LXQt", package: "lxqt-session", program: "lxqt-session",
        files: ["lxqt/session.conf": "[General]\nwindow_manager=openbox\n"])
    static let cinnamon = desktop(
        "Cinnamon", as: "X-Cinnamon", package: "cinnamon", program: "cinnamon-session",
        arguments: ["--session", "cinnamon2d"],
        variables: ["LIBGL_ALWAYS_SOFTWARE": "1"])
    static let plasma = desktop(
        "Plasma", as: "KDE", package: "plasma-workspace", program: "startplasma-x11",
        files: [
            "startkderc": "[General]\nsystemdBoot=false\n", "ksplashrc": "[KSplash]\nEngine=none\n",
            "kwinrc": "[Desktops]\nNumber=4\nRows=1\n",
            // Keys that no window gets would open it.
            "krunnerrc": "[General]\nActivateWhenTypingOnDesktop=false\n",
        ],
        variables: ["LIBGL_ALWAYS_SOFTWARE": "1", "KDE_FULL_SESSION": "true"])
    static let flashback = desktop(
        "GNOME Flashback", as: "GNOME-Flashback:GNOME", package: "gnome-session-flashback",
        program: "gnome-session",
        arguments: ["--builtin", "--session=gnome-flashback-metacity", "--disable-acceleration-check"],
        variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path={folder}/bus"])
}
