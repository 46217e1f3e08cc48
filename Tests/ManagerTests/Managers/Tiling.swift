/// Managers that lay windows out side by side and receive requests through their own programs.
extension Manager {
    static let i3 = Manager(
        name: "i3", package: "i3-wm", program: "i3", arguments: ["-c", "{folder}/config"],
        files: [
            "config": """
            # i3 config file (v4)
            font pango:monospace 8
            ipc-socket {folder}/i3.sock

            """
        ],
        methods: [
            .iconify: [i3("[id={id}] move scratchpad")],
            .deiconify: [i3("[id={id}] scratchpad show, floating disable")],
            .leaveDesktop: [i3("workspace 2")], .returnToDesktop: [i3("workspace 1")],
            .moveAway: [i3("[id={id}] move to workspace 2")],
            .moveBack: [i3("[id={id}] move to workspace 1")],
            .takeBack: [i3("[id={id}] move to workspace 1")],
            .stick: [i3("[id={id}] floating enable, sticky enable")],
            .unstick: [i3("[id={id}] sticky disable, floating disable")],
            .fullscreen: [i3("[id={id}] fullscreen enable")],
            .endFullscreen: [i3("[id={id}] fullscreen disable")],
            .moveToMonitor: [i3("[id={id}] move to output right")],
            .leaveMonitor: [i3("workspace 3")], .returnToMonitor: [i3("workspace 1")],
            .tab: [i3("layout tabbed")], .stack: [i3("layout stacking")], .tile: [i3("layout splith")],
        ],
        cannot: [
            .monocle: "its tabs do the same", .startIconic: "it shows the window",
            .replace: "i3 has no option for that", .keepIconified: "it shows the window",
        ] + withoutShade + withoutShowDesktop + withFixedMonitors,
        hidesCovered: [.fullscreen, .tab, .stack],
        // The scratchpad is not a desktop, and i3 reports its windows as being on all desktops.
        causes: [.iconify: "unmap", .fullscreen: "unmap"])

    private static func i3(_ command: String) -> RequestMethod {
        .run(["i3-msg", "-s", "{folder}/i3.sock", command])
    }

    static let bspwm = Manager(
        name: "bspwm", package: "bspwm", program: "bspwm", arguments: ["-c", "{folder}/bspwmrc"],
        files: ["bspwmrc": "#!/bin/sh\nbspc monitor -d 1 2\n"],
        variables: ["BSPWM_SOCKET": "{folder}/bspwm.sock"],
        methods: [
            .iconify: [.run(["bspc", "node", "{id}", "-g", "hidden=on"])],
            .deiconify: [.run(["bspc", "node", "{id}", "-g", "hidden=off"])],
            .leaveDesktop: [.run(["bspc", "desktop", "-f", "^2"])],
            .returnToDesktop: [.run(["bspc", "desktop", "-f", "^1"])],
            .moveAway: [.run(["bspc", "node", "{id}", "-d", "^2"])],
            .moveBack: [.run(["bspc", "node", "{id}", "-d", "^1"])],
            .takeBack: [.run(["bspc", "node", "{id}", "-d", "^1"])],
            .stick: [.run(["bspc", "node", "{id}", "-g", "sticky=on"])],
            .unstick: [.run(["bspc", "node", "{id}", "-g", "sticky=off"])],
            .fullscreen: [.run(["bspc", "node", "{id}", "-t", "fullscreen"])],
            .endFullscreen: [.run(["bspc", "node", "{id}", "-t", "tiled"])],
            .monocle: [.run(["bspc", "desktop", "-l", "monocle"])],
            .tile: [.run(["bspc", "desktop", "-l", "tiled"])],
            .splitMonitors: [
                .run(["bspc", "wm", "--add-monitor", "second", "400x600+400+0"]),
                .run(["bspc", "monitor", "^1", "-g", "400x600+0+0"]),
                .run(["bspc", "monitor", "second", "-d", "other"]),
                .run(["bspc", "node", "{id}", "-d", "other"]),
            ],
            .joinMonitors: [
                .run(["bspc", "node", "{id}", "-d", "^1"]),
                .run(["bspc", "monitor", "second", "-r"]),
                .run(["bspc", "monitor", "^1", "-g", "800x600+0+0"]),
            ],
        ],
        cannot: [
            .tab: "it has no such layout", .stack: "it has no such layout",
            .shade: "it only claims to", .unshade: "it only claims to", .startIconic: "it shows the window",
            .replace: "bspwm has no option for that", .keepIconified: "it shows the window",
        ] + withoutShowDesktop + withOwnMonitors,
        exitsWhenReplaced: false)

    static let herbstluftwm = Manager(
        name: "herbstluftwm", package: "herbstluftwm", program: "herbstluftwm",
        arguments: ["-c", "{folder}/autostart"],
        files: [
            "autostart": """
            #!/bin/sh
            herbstclient rename default 1
            herbstclient add 2
            herbstclient add 3
            herbstclient set default_frame_layout horizontal

            """
        ],
        methods: [
            .deiconify: [.run(["herbstclient", "set_attr", "clients.{id}.minimized", "off"])],
            .moveAway: herbstluftwmMove("2"),
            .moveBack: [.run(["herbstclient", "bring", "{id}"])],
            .takeBack: herbstluftwmMove("1"),
            .monocle: [.run(["herbstclient", "set_layout", "max"])],
            .tile: [.run(["herbstclient", "set_layout", "horizontal"])],
            .splitMonitors: [
                .run(["herbstclient", "set_monitors", "400x600+0+0", "400x600+400+0"])
            ] + herbstluftwmMove("2"),
            .joinMonitors: [
                .run(["herbstclient", "focus_monitor", "0"]), .run(["herbstclient", "bring", "{id}"]),
                .run(["herbstclient", "set_monitors", "800x600+0+0"]),
            ],
        ],
        cannot: [
            .tab: "it has no such layout", .stack: "it has no such layout",
            .stick: "it ignores the request", .unstick: "it ignores the request",
            .startIconic: "it shows the window", .keepIconified: "it shows the window",
        ] + withoutShade + withoutShowDesktop + withOwnMonitors)

    /// Focuses the window and moves the focused window to a tag.
    private static func herbstluftwmMove(_ tag: String) -> [RequestMethod] {
        [.run(["herbstclient", "jumpto", "{id}"]), .run(["herbstclient", "move", tag])]
    }

    static let awesome = Manager(
        name: "awesome", package: "awesome", program: "awesome", arguments: ["-c", "{folder}/rc.lua"],
        files: ["rc.lua": awesomeConfiguration], companions: [.bus],
        methods: [
            .moveAway: [awesome("c:move_to_tag(c.screen.tags[2])")],
            .moveBack: [awesome("c:move_to_tag(c.screen.tags[1])")],
            .takeBack: [awesome("c:move_to_tag(c.screen.tags[1])")],
            .stick: [.setState("STICKY", true)], .unstick: [.setState("STICKY", false)],
            .monocle: [awesome("require('awful').layout.set(require('awful').layout.suit.max)")],
            .tile: [awesome("require('awful').layout.set(require('awful').layout.suit.tile)")],
            .splitMonitors: [
                awesome(
                    "screen[1]:fake_resize(0, 0, 400, 600) screen.fake_add(400, 0, 400, 600) "
                        + "c:move_to_screen(screen[2])")
            ],
            .joinMonitors: [
                awesome(
                    "c:move_to_screen(screen[1]) c:move_to_tag(screen[1].tags[1]) screen[2]:fake_remove() "
                        + "screen[1]:fake_resize(0, 0, 800, 600)")
            ],
        ],
        cannot: [
            .tab: "it has no such layout", .stack: "it has no such layout",
            .startIconic: "it shows the window",
        ] + withoutShade + withoutShowDesktop + withOwnMonitors)

    /// Runs a Lua statement, in which `c` is the window.
    private static func awesome(_ lua: String) -> RequestMethod {
        .run([
            "awesome-client",
            "for _, c in ipairs(client.get()) do if c.window == {decimal} then \(lua) end end",
        ])
    }

    private static let awesomeConfiguration = """
        local awful = require("awful")
        require("awful.autofocus")
        awful.layout.layouts = { awful.layout.suit.tile, awful.layout.suit.max }
        awful.screen.connect_for_each_screen(function(s)
            awful.tag({ "1", "2", "3" }, s, awful.layout.layouts[1])
        end)
        awful.rules = require("awful.rules")
        awful.rules.rules = { { rule = {}, properties = { focus = awful.client.focus.filter, raise = true,
            screen = awful.screen.preferred } } }

        """
}
