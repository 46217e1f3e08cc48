/// Managers that receive requests as key presses, which act on the focused window.
extension Manager {
    private static let withoutFullscreen: [Request: String] = [
        .fullscreen: "it ignores the request", .endFullscreen: "it ignores the request",
    ]
    private static let withOneLayout: [Request: String] = [
        .tab: "it has no such layout", .stack: "it has no such layout",
        .focusCovered: "only with keys that cycle through the windows",
    ]

    static let dwm = Manager(
        name: "dwm", package: "dwm", program: "dwm",
        methods: [
            .focus: [.pointer],
            .leaveDesktop: [.keys("alt+2")], .returnToDesktop: [.keys("alt+1")],
            .moveAway: [.keys("alt+shift+2")], .takeBack: [.keys("alt+shift+1")],
            .moveToMonitor: [.keys("alt+shift+period")],
            .leaveMonitor: [.keys("alt+3")], .returnToMonitor: [.keys("alt+1")],
            .stick: [.keys("alt+shift+0")], .unstick: [.keys("alt+shift+1")],
            .monocle: [.keys("alt+m")], .tile: [.keys("alt+t")],
        ],
        cannot: [
            .startIconic: "it shows the window", .replace: "dwm has no option for that",
            .moveBack: "only the window that has the focus",
        ] + withOneLayout + withoutIconify + withoutShade + withoutShowDesktop
            + withFixedMonitors,
        // dwm has no desktops: it moves windows without a shown tag off the screen.
        causes: [.leaveDesktop: "offscreen", .moveAway: "offscreen", .leaveMonitor: "offscreen"],
        exitsWhenReplaced: false)

    static let xmonad = Manager(
        name: "xmonad", package: "xmonad", program: "xmonad",
        methods: [
            .focus: [.pointer],
            .leaveDesktop: [.keys("alt+2")], .returnToDesktop: [.keys("alt+1")],
            .moveAway: [.keys("alt+shift+2")], .takeBack: [.keys("alt+shift+1")],
            .moveToMonitor: [.keys("alt+shift+2")],
            .leaveMonitor: [.keys("alt+3")], .returnToMonitor: [.keys("alt+1")],
            .monocle: [.keys("alt+space"), .keys("alt+space")], .tile: [.keys("alt+space")],
        ],
        cannot: [
            .startIconic: "it shows the window", .replace: "it compiles its configuration for that",
            .reportDeath: "it has neither frames nor a check window",
            .moveBack: "only the window that has the focus",
            .stick: "not by default", .unstick: "not by default",
        ] + withOneLayout + withoutFullscreen
            + withoutIconify + withoutShade + withoutShowDesktop + withFixedMonitors,
        hidesCovered: [.monocle],
        causes: [
            .leaveDesktop: "iconify", .moveAway: "iconify", .leaveMonitor: "iconify", .monocle: "iconify",
        ], exitsWhenReplaced: false)

    static let spectrwm = Manager(
        name: "spectrwm", package: "spectrwm", program: "spectrwm",
        arguments: ["-c", "{folder}/spectrwm.conf"],
        files: ["spectrwm.conf": "modkey = Mod1\nbar_enabled = 0\nfocus_mode = manual\n"],
        // spectrwm ignores requests for the window that it considers active, even if another window has the keyboard.
        methods: [
            .focus: [.click],
            .monocle: [.keys("alt+space"), .keys("alt+space")], .tile: [.keys("alt+space")],
        ],
        cannot: [
            .startIconic: "it shows the window", .focusQuickly: "a click takes longer",
            .replace: "spectrwm has no option for that",
            .takeBack: "in a maximised layout it then maps and unmaps windows endlessly",
            .stick: "it ignores the request", .unstick: "it ignores the request",
        ] + withOneLayout + withoutIconify + withoutShade + withoutShowDesktop + withoutMonitors
            + withOwnMonitors,
        hidesCovered: [.monocle], causes: [.monocle: "iconify"], fightsEmbedding: true,
        exitsWhenReplaced: false)

    static let ratpoison = Manager(
        name: "ratpoison", package: "ratpoison", program: "ratpoison",
        methods: [
            .focus: [.run(["ratpoison", "-c", "select {name}"])],
            .deiconify: [.run(["ratpoison", "-c", "select {name}"])],
        ],
        cannot: [.startIconic: "it shows the window", .replace: "ratpoison has no option for that"]
            + withoutFullscreen + withoutDesktops + withoutTabs + withoutShade + withoutShowDesktop
            + withoutMonitors,
        showsOneWindow: true, exitsWhenReplaced: false)
}
