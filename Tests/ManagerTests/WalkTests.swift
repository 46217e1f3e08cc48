import TestDesktop
import Testing

extension UnderManagers {
    /// Random actions of clients, in orders that no scenario has.
    @Suite struct WalkTests {
        private static let length = 30

        @Test(arguments: Manager.walked)
        func aNewListAgreesWithTheRunningWatch(_ manager: Manager) async throws {
            try await UnderManagers.executor.run {
                let rig = try Rig(manager)
                try rig.openAll()
                var random = SeededGenerator(seed: 7)
                var walk: [String] = []
                for _ in 1...Self.length {
                    walk.append(try rig.stepAtRandom(using: &random))
                    let differences = try rig.settledDifferences()
                    #expect(differences == [], "\(manager) after \(walk)")
                    if !differences.isEmpty { return }
                }
            }
        }

        @Test(arguments: Manager.walked)
        func aWithdrawnWindowThatIsMappedAsIconicIsInTheBackground(_ manager: Manager) async throws {
            try await UnderManagers.executor.run {
                let rig = try Rig(manager)
                try rig.openAll()
                let alpha = rig.window("alpha")
                alpha.withdraw()
                let isGone = try waitUntil {
                    _ = try rig.readUntilQuiet()
                    return rig.scenes[alpha.name] == nil
                }
                alpha.setInitialState(isIconic: true)
                alpha.map()
                let isBack = try waitUntil {
                    _ = try rig.readUntilQuiet()
                    return rig.scenes[alpha.name] == "background"
                }
                #expect(isGone && isBack)
                #expect(try rig.settledDifferences() == [])
            }
        }
    }
}

extension Rig {
    private static let requests: [Request] = [
        .iconify, .deiconify, .leaveDesktop, .returnToDesktop, .moveAway, .moveBack, .stick, .shade, .unshade,
        .fullscreen, .endFullscreen,
    ]

    /// Performs a random step.
    ///
    /// - Returns: A description of the step.
    fileprivate func stepAtRandom(using random: inout SeededGenerator) throws -> String {
        guard let name = scenarioClients.keys.sorted().randomElement(using: &random),
            let number = (0..<(Self.requests.count + 6)).randomElement(using: &random)
        else { return "" }
        let scenarioClient = scenarioClient(name)
        let window = scenarioClient.window
        switch number {
        case 0, 1:
            window.setInitialState(isIconic: number == 0)
            window.map()
            scenarioClient.life = .mapped
            return "map \(name)\(number == 0 ? ", iconic" : "")"
        case 2, 3:
            window.withdraw()
            scenarioClient.life = .withdrawn
            return "withdraw \(name)"
        case 4:
            window.unmap()
            return "unmap \(name)"
        case 5:
            window.activate()
            return "activate \(name)"
        default:
            let request = Self.requests[number - 6]
            if manager.can(request) { try ask(request, name) }
            return "\(request.rawValue) \(name)"
        }
    }
}
