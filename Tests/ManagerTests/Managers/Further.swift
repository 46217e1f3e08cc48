/// Managers that only `packaging/test --managers` starts.
extension Manager {
    static let rare: [Manager] = [
        openboxWithPicom, fluxboxWithPicom, marco, mutter, kwin, kwinCompositing, jwm, blackbox, wmaker,
        fvwm3, sawfish, dwm, xmonad, spectrwm, ratpoison, enlightenment,
    ]

    static let marco = Manager(
        name: "marco", package: "marco", program: "marco", arguments: ["--no-composite"],
        variables: ["GSETTINGS_BACKEND": "memory"], companions: [.bus],
        cannot: withoutTabs + withoutMonitors)

    static let mutter = Manager(
        name: "mutter", package: "mutter", program: "mutter", arguments: ["--x11"],
        variables: ["GSETTINGS_BACKEND": "memory", "LIBGL_ALWAYS_SOFTWARE": "1"], companions: [.bus],
        cannot: [.startIconic: "it shows the window"] + withoutTabs + withoutMonitors)

    static let kwin = kwin(compositing: false)
    static let kwinCompositing = kwin(compositing: true)

    private static func kwin(compositing: Bool) -> Manager {
        Manager(
            name: compositing ? "kwin, compositing" : "kwin, not compositing",
            package: "kwin-x11", program: "kwin_x11",
            files: [
                "kwinrc": """
                [Compositing]
                Enabled=\(compositing)
                [Desktops]
                Number=4
                Rows=1

                """
            ],
            variables: compositing
                ? ["QT_QPA_PLATFORM": "xcb", "LIBGL_ALWAYS_SOFTWARE": "1"]
                : ["QT_QPA_PLATFORM": "xcb", "KWIN_COMPOSE": "N"],
            companions: [.bus],
            cannot: [.keepIconified: "it shows the window"]
                + (compositing
                    ? [:]
                    : [
                        .shade: "without Plasma's decorations the window stays on the screen",
                        .unshade: "see shade",
                    ]) + withoutTabs + withoutMonitors,
            raisesDesktopWindow: true)
    }

    static let jwm = Manager(
        name: "jwm", package: "jwm", program: "jwm", arguments: ["-f", "{folder}/jwmrc"],
        files: [
            "jwmrc": """
            <?xml version="1.0"?>
            <JWM><Desktops width="4" height="1"/><FocusModel>click</FocusModel></JWM>

            """
        ],
        cannot: [
            .replace: "jwm has no option for that",
            .withdrawHidden: "it never shows the window again",
        ] + withoutTabs + withoutMonitors)

    static let blackbox = Manager(
        name: "blackbox", package: "blackbox", program: "blackbox",
        arguments: ["-rc", "{folder}/blackboxrc"],
        files: ["blackboxrc": "session.screen0.workspaces: 4\nsession.screen0.toolbar.onTop: false\n"],
        cannot: [.replace: "blackbox has no option for that"] + withoutShowDesktop + withoutTabs
            + withoutMonitors, exitsWhenReplaced: false)

    /// It puts windows of applications that begin with Tab into one frame. Only UnlistedTests starts it.
    static let pekwm = Manager(
        name: "pekwm", package: "pekwm", program: "pekwm", arguments: ["--config", "{folder}/.pekwm/config"],
        files: [
            ".pekwm/autoproperties": """
            Property = ".*,^Tab" { ApplyOn = "Start New"; Group = "tabs" { Size = "8"; Global = "True" } }

            """
        ],
        preparation: "cp /etc/pekwm/config '{folder}/.pekwm/config'",
        cannot: withoutTabs + withoutMonitors)

    static let wmaker = Manager(
        name: "wmaker", package: "wmaker", program: "wmaker",
        // Without --for-real, the process is a watchdog, and its child survives it.
        arguments: ["--no-dock", "--no-clip", "--no-drawer", "--no-autolaunch", "--for-real"],
        files: [
            "GNUstep/Defaults/WMState": "{ Workspaces = ( {Name=one;}, {Name=two;}, {Name=three;} ); }\n",
            // With animations it ends "show desktop" window by window, and each window has the focus for 170 ms.
            "GNUstep/Defaults/WindowMaker": "{ DisableAnimations = YES; }\n",
        ],
        variables: ["GNUSTEP_USER_ROOT": "{folder}/GNUstep"],
        cannot: [.replace: "it needs the other to end first"] + withoutTabs + withoutMonitors,
        exitsWhenReplaced: false
    )

    static let fvwm3 = Manager(
        name: "fvwm3", package: "fvwm3", program: "fvwm3", arguments: ["-f", "{folder}/config"],
        files: ["config": "DesktopSize 1x1\nStyle * ClickToFocus, GrabFocus\nStyle * EWMHIgnoreStrutHints\n"],
        variables: ["FVWM_USERDIR": "{folder}"],
        cannot: withoutShowDesktop + withoutTabs + withoutMonitors)

    static let sawfish = Manager(
        name: "sawfish", package: "sawfish", program: "sawfish",
        // Sawfish ignores requests to switch to a desktop without windows.
        methods: [.leaveDesktop: [.run(["sawfish-client", "-e", "(select-workspace 1)"])]],
        cannot: [.replace: "sawfish has no option for that"] + withoutTabs + withoutMonitors)
}
