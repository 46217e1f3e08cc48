/// Whole desktops, which only `packaging/test --managers` starts. The session manager starts the window
/// manager, the panel, the desktop window and the other programs of the desktop.
extension Manager {
    static let desktops: [Manager] = [xfce, mate, lxqt, cinnamon, plasma, flashback, budgie, gnome]

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
            // Keys that no window receives would open KRunner.
            "krunnerrc": "[General]\nActivateWhenTypingOnDesktop=false\n",
        ],
        variables: ["LIBGL_ALWAYS_SOFTWARE": "1", "KDE_FULL_SESSION": "true"])
    static let flashback = desktop(
        "GNOME Flashback", as: "GNOME-Flashback:GNOME", package: "gnome-session-flashback",
        program: "gnome-session",
        arguments: ["--builtin", "--session=gnome-flashback-metacity", "--disable-acceleration-check"],
        variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path={folder}/bus"])
    static let budgie = desktop(
        "Budgie", as: "Budgie:GNOME", package: "budgie-core", program: "gnome-session",
        arguments: ["--builtin", "--session=budgie", "--disable-acceleration-check"],
        variables: asX11,
        // Without a login, Budgie's polkit agent fails, and a window with its error message covers the screen.
        preparation: """
            mkdir -p '{folder}/gnome-session/sessions'
            sed 's/org.buddiesofbudgie.BudgiePolkit;//' \
                /usr/share/gnome-session/sessions/org.buddiesofbudgie.BudgieDesktop.session \
                >'{folder}/gnome-session/sessions/budgie.session'
            """,
        cannot: [.startIconic: "it shows the window"])
    static let gnome = desktop(
        "GNOME Shell", as: "GNOME", package: "gnome-shell", program: "gnome-shell",
        arguments: ["--x11", "--mode=desktop"],
        files: [
            // Otherwise GNOME Shell starts in its overview, which has the keyboard.
            "gnome-shell/modes/desktop.json": #"{"parentMode": "user", "hasOverview": false}"#,
            // Marks the lock warning, which covers windows, as already shown.
            "gnome-shell/lock-warning-shown": "",
        ],
        variables: asX11 + ["XDG_DATA_DIRS": "{folder}:/usr/local/share:/usr/share"],
        cannot: [.startIconic: "it shows the window"])

    /// Without a login, the session does not know that it runs on X11.
    private static let asX11 = [
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path={folder}/bus", "LIBGL_ALWAYS_SOFTWARE": "1",
        "XDG_SESSION_TYPE": "x11",
    ]
}
