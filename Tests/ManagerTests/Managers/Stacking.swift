/// Managers whose windows overlap, and that follow EWMH and ICCCM.
extension Manager {
    static let none = Manager(
        name: "none", package: "", program: "",
        methods: [.focus: [.inputFocus]],
        cannot: [
            .iconify: "there is no window manager", .deiconify: "there is no window manager",
            .fullscreen: "there is no window manager", .endFullscreen: "there is no window manager",
            .startIconic: "the server maps the window", .replace: "there is nothing to replace",
            .restart: "there is nothing to restart",
        ] + withoutDesktops + withoutTabs + withoutShade + withoutShowDesktop + withoutMonitors)

    static let openbox = Manager(
        name: "openbox", package: "openbox", program: "openbox", arguments: ["--sm-disable"],
        cannot: [.replaceByAnother: "it is the other one"] + withoutTabs + withoutMonitors)

    static let openboxWithPicom = Manager(
        name: "openbox with picom", package: "openbox", program: "openbox", arguments: ["--sm-disable"],
        companions: [.compositor],
        cannot: [.replaceByAnother: "it is the other one"] + withoutTabs + withoutMonitors)

    static let xfwm4 = xfwm4(compositor: "off")
    static let xfwm4Compositing = xfwm4(compositor: "on")

    private static func xfwm4(compositor: String) -> Manager {
        Manager(
            name: compositor == "on" ? "xfwm4, its compositor on" : "xfwm4, its compositor off",
            package: "xfwm4", program: "xfwm4", arguments: ["--compositor=\(compositor)"],
            companions: [.bus], cannot: withoutTabs + withoutMonitors)
    }

    static let metacity = Manager(
        name: "metacity", package: "metacity", program: "metacity",
        variables: ["GSETTINGS_BACKEND": "memory"], companions: [.bus],
        cannot: withoutTabs + withoutMonitors)

    static let icewm = Manager(
        name: "icewm", package: "icewm", program: "icewm",
        files: ["preferences": "TaskBarShowAllWindows=0\nShowTaskBar=0\n"],
        variables: ["ICEWM_PRIVCFG": "{folder}"],
        cannot: withoutTabs + withoutMonitors)

    static let fluxbox = fluxbox("fluxbox", companions: [])
    static let fluxboxWithPicom = fluxbox("fluxbox with picom", companions: [.compositor])

    private static func fluxbox(_ name: String, companions: [Companion]) -> Manager {
        Manager(
            name: name, package: "fluxbox", program: "fluxbox",
            arguments: ["-no-toolbar", "-no-slit", "-rc", "{folder}/init"],
            files: [
                "init": "session.screen0.workspaces: 4\nsession.screen0.toolbar.visible: false\n"
                    + "session.styleOverlay: {folder}/overlay\n",
                // Otherwise fbsetbg opens a window with an error message where it cannot set the background of the
                // style.
                "overlay": "background: none\n",
            ],
            companions: companions,
            cannot: [.replace: "fluxbox has no option for that"] + withoutShowDesktop + withoutTabs
                + withoutMonitors,
            exitsWhenReplaced: false)
    }

    static let twm = Manager(
        name: "twm", package: "twm", program: "twm", arguments: ["-f", "{folder}/twmrc"],
        files: ["twmrc": "RandomPlacement\nNoGrabServer\n"],
        methods: [.focus: [.pointer], .deiconify: [.map]],
        cannot: [
            .fullscreen: "it ignores the request", .endFullscreen: "it ignores the request",
            .replace: "twm has no option for that", .keepIconified: "it shows the window",
        ] + withoutDesktops + withoutTabs + withoutShade + withoutShowDesktop + withoutMonitors,
        exitsWhenReplaced: false)
}
