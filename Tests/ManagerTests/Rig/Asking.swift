import TestDesktop

extension Rig {
    /// Sends a request to the window manager, with the manager's own methods if it has any for the request.
    func ask(_ request: Request, _ name: String) throws {
        let window = window(name)
        guard let methods = manager.methods[request] else {
            askAsStandard(request, window)
            return
        }
        for method in methods { try send(method, name) }
    }

    private func send(_ method: RequestMethod, _ name: String) throws {
        let window = window(name)
        switch method {
        case .run(let command): try process.run(command, name: name, window: window.id)
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

    /// Moves the pointer to a window. Managers follow EnterNotify and focus any window that the pointer crosses. So
    /// the pointer jumps onto a small window above the middle of the target, and the small window is destroyed.
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

    /// Closes the dialog that the manager opens at its start.
    func closeStartupDialog() throws {
        guard let title = manager.startupDialog else { return }
        // A machine on which the dialog does not appear waits for all of these 5 s.
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

    private func askAsStandard(_ request: Request, _ window: TestWindow) {
        switch request {
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
            .withdrawHidden, .restart, .keepIconified, .reportDeath, .replace, .replaceByAnother:
            preconditionFailure("there is no standard for: \(request.rawValue)")
        }
    }
}
