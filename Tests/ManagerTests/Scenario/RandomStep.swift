import TestDesktop

/// What clients, users and the window manager do at random, in orders that no scenario has.
enum RandomStep: String, CaseIterable {
    case open, popup, dialog, dock, share
    case map, mapIconic, withdraw, unmap, override
    case focus, focusInside, focusPointer, activate
    case raise, lower, move, cover, shape
    case rename, unname, retitle, retype, adopt, disown, lead
    case embed, release
    case destroy, end
    case ask, askAgain, askOnceMore
}

extension Rig {
    private static let mostWindows = 9
    private static let names = ["Red", "Green", "Blue"]
    private static let requests: [Request] = [
        .iconify, .deiconify, .leaveDesktop, .returnToDesktop, .moveAway, .moveBack, .stick, .unstick, .shade,
        .unshade, .fullscreen, .endFullscreen, .showDesktop, .hideDesktop, .tab, .stack, .monocle, .tile,
    ]

    /// Performs a random step, and returns its description.
    func stepAtRandom(using random: inout SeededGenerator) throws -> String {
        guard let step = RandomStep.allCases.randomElement(using: &random),
            let name = scenarioClients.keys.sorted().randomElement(using: &random),
            let other = scenarioClients.keys.sorted().randomElement(using: &random)
        else {
            try open(.init("Red"), on: nil, using: &random)
            return "open the first window"
        }
        for client in scenarioClients.values { client.look() }
        let text = try perform(step, name, other, using: &random)
        return "\(step) \(name)\(text.isEmpty ? "" : " \(text)")"
    }

    private func perform(
        _ step: RandomStep, _ name: String, _ other: String, using random: inout SeededGenerator
    ) throws -> String {
        let scenarioClient = scenarioClient(name)
        let window = scenarioClient.window
        let className = Self.names.randomElement(using: &random) ?? "Red"
        var properties = TestWindow.Properties(Bool.random(using: &random) ? className : nil)
        properties.isRemote = Bool.random(using: &random)
        switch step {
        case .open: return try open(properties, on: nil, using: &random)
        case .share: return try open(properties, on: window.client, using: &random)
        case .popup:
            properties.isOverrideRedirect = true
            return try open(properties, on: window.client, using: &random)
        case .dialog:
            properties.transientFor = window.id
            return try open(properties, on: Bool.random(using: &random) ? window.client : nil, using: &random)
        case .dock:
            properties.type = "DOCK"
            return try open(properties, on: nil, using: &random)
        case .map, .mapIconic:
            window.setInitialState(isIconic: step == .mapIconic)
            window.map()
            scenarioClient.life = .mapped
        case .withdraw:
            window.withdraw()
            scenarioClient.life = .withdrawn
        case .unmap: window.unmap()
        case .override:
            // Only while it is unmapped: see KnownDifference.
            window.withdraw()
            scenarioClient.life = .withdrawn
            window.setOverrideRedirect(Bool.random(using: &random))
            window.map()
            scenarioClient.life = .mapped
        case .focus: client.setFocus(window.id)
        case .focusInside: client.setFocus(window.child())
        case .focusPointer:
            client.movePointer(
                x: .random(in: 0..<800, using: &random), y: .random(in: 0..<600, using: &random))
            client.setFocus(1)
        case .activate: window.activate()
        case .raise: window.raise()
        case .lower: window.lower()
        case .move:
            window.move(x: .random(in: -900..<900, using: &random), y: .random(in: -50..<500, using: &random))
        case .cover:
            window.move(x: 0, y: 0)
            window.resize(width: .random(in: 100..<800, using: &random), height: 590)
            window.raise()
        case .shape:
            window.setShape(Bool.random(using: &random) ? [.init(x: 0, y: 0, width: 9, height: 9)] : nil)
        case .rename: window.setClass("other", className)
        case .unname: window.deleteProperty("WM_CLASS")
        case .retitle: window.setBytes("WM_NAME", "STRING", Array(className.utf8))
        case .retype:
            let type = ["NORMAL", "DIALOG", "UTILITY", "SPLASH"].randomElement(using: &random) ?? "NORMAL"
            window.setWords("_NET_WM_WINDOW_TYPE", "ATOM", [client.atom("_NET_WM_WINDOW_TYPE_\(type)")])
            return type
        case .adopt: window.setWords("WM_TRANSIENT_FOR", "WINDOW", [self.window(other).id])
        case .disown: window.deleteProperty("WM_TRANSIENT_FOR")
        case .lead: window.setLeader(self.window(other))
        case .embed:
            if manager.fightsEmbedding { return "nothing" }
            window.reparent(into: self.window(other))
        case .release: window.reparentToRoot()
        case .destroy:
            window.destroy()
            scenarioClients[name] = nil
        case .end:
            // Its connection closes when the last of its windows is released.
            for (name, ended) in scenarioClients where ended.window.client === window.client {
                scenarioClients[name] = nil
            }
        case .ask, .askAgain, .askOnceMore:
            guard let request = Self.requests.randomElement(using: &random), manager.can(request) else {
                return "nothing"
            }
            // A manager's own command fails where it does not manage the window.
            try? ask(request, name)
            return "to \(request.rawValue)"
        }
        return other
    }

    @discardableResult
    private func open(
        _ properties: TestWindow.Properties, on client: TestClient?, using random: inout SeededGenerator
    ) throws -> String {
        if scenarioClients.count >= Self.mostWindows { return "not: there are enough" }
        let name = "w\(scenarioClientCount)"
        scenarioClientCount += 1
        var properties = properties
        properties.title = name
        properties.startsIconic = Int.random(in: 0..<5, using: &random) == 0
        let window = TestWindow(
            try client ?? TestClient(display.name), properties, colour: 0x90_00_00 + scenarioClientCount,
            x: .random(in: 0..<500, using: &random), y: .random(in: 30..<400, using: &random))
        let opened = ScenarioClient(name, properties.className ?? "", window)
        scenarioClients[name] = opened
        if Int.random(in: 0..<5, using: &random) > 0 {
            window.map()
            opened.life = .mapped
        }
        return "opens \(name) = \(window.name)"
    }
}
