import TestDesktop

extension Rig {
    /// Tells a wish to the window manager, in its own way if it has one.
    func ask(_ wish: Wish, _ name: String) throws {
        let window = window(name)
        guard let ways = manager.ways[wish] else {
            askAsStandard(wish, window)
            return
        }
        for way in ways { try go(way, name) }
    }

    private func go(_ way: Way, _ name: String) throws {
        let window = window(name)
        switch way {
        case .run(let command): try process.run(command, name: name, window: window)
        case .keys(let keys): try xdotool(["key", keys])
        case .pointer: point(at: window)
        case .click:
            point(at: window)
            try xdotool(["click", "1"])
        case .inputFocus: client.setFocus(window.id)
        case .map: window.map()
        case .setState(let state, let isSet): window.setState(state, isSet)
        }
    }

    /// Only crossing a border is told, and what the pointer crosses on its way gets the focus, too: so it enters the
    /// window out of another one, which goes away on top of it.
    private func point(at window: TestWindow) {
        let middle = client.middle(of: window)
        var properties = TestWindow.Properties()
        properties.isOverrideRedirect = true
        let top = TestWindow(
            client, properties, colour: 0, x: middle.x - 2, y: middle.y - 2, width: 4, height: 4)
        top.map()
        client.movePointer(x: middle.x, y: middle.y)
        top.destroy()
    }

    /// What the manager itself opened when it started.
    func closeGreeting() throws {
        guard let title = manager.greeting else { return }
        // Where there is nothing to greet with, this is the time that it costs.
        guard try waitUntil(within: .seconds(5), { try isShown(title) }) else { return }
        let isGone = try waitUntil {
            try xdotool(["key", "Return"])
            return try !isShown(title)
        }
        guard isGone else { throw Failure("\(manager) keeps asking: \(title)") }
    }

    private func isShown(_ title: String) throws -> Bool {
        let found = try Program.run(
            "xdotool", ["search", "--onlyvisible", "--name", title], package: "xdotool",
            environment: display.environment)
        return !found.output.isEmpty
    }

    private func xdotool(_ arguments: [String]) throws {
        let result = try Program.run(
            "xdotool", arguments, package: "xdotool", environment: display.environment)
        guard result.code == 0 else { throw Failure("xdotool \(arguments): \(result.errors)") }
    }

    private func askAsStandard(_ wish: Wish, _ window: TestWindow) {
        switch wish {
        case .focus, .focusQuickly, .focusCovered, .deiconify: window.activate()
        case .iconify: window.iconify()
        case .leaveDesktop: client.switchDesktop(1)
        case .returnToDesktop: client.switchDesktop(0)
        case .moveAway, .moveToMonitor: window.moveToDesktop(1)
        case .moveBack, .takeBack, .unstick: window.moveToDesktop(0)
        case .stick: window.moveToDesktop(0xFFFF_FFFF)
        case .leaveMonitor: client.switchDesktop(2)
        case .returnToMonitor: client.switchDesktop(0)
        case .showDesktop: client.showDesktop(true)
        case .hideDesktop: client.showDesktop(false)
        case .shade: window.setState("SHADED", true)
        case .unshade: window.setState("SHADED", false)
        case .fullscreen: window.setState("FULLSCREEN", true)
        case .endFullscreen: window.setState("FULLSCREEN", false)
        case .tab, .stack, .monocle, .tile, .splitMonitors, .joinMonitors, .startIconic, .unmap,
            .withdrawHidden, .restart, .keepIconified, .tellDeath, .replace, .replaceByAnother:
            preconditionFailure("there is no standard for: \(wish.rawValue)")
        }
    }
}
