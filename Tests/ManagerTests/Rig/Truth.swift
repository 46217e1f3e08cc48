import TestDesktop

/// The true phases, from the pixels of the screen and the window that receives typed keys.
struct Truth {
    /// The right phases by window id. nil stands for no scene. In a set of two, either phase is right.
    private(set) var scenes: [String: Set<String?>] = [:]
    private(set) var applications: [String: Set<String?>] = [:]

    init(of rig: Rig) throws {
        let scenarioClients = rig.scenarioClients.values
        let pixels = rig.client.pixels(of: Set(scenarioClients.map(\.window.colour)))
        let typed = try rig.typeKey()
        var phases: [String: Set<String?>] = [:]
        for scenarioClient in scenarioClients {
            let isSeen = pixels[scenarioClient.window.colour] != nil
            phases[scenarioClient.name] =
                switch scenarioClient.life {
                // Some managers map a window that was withdrawn while they hid it.
                case .withdrawn where !isSeen: [nil]
                case .unmapped where !isSeen: [nil, "background"]
                case .mapped, .unmapped, .withdrawn: Self.phases(scenarioClient, rig, isSeen: isSeen, typed)
                }
        }
        for scenarioClient in scenarioClients where !scenarioClient.isPartOfParent {
            let parts = scenarioClients.filter {
                $0 === scenarioClient || ($0.isPartOfParent && $0.parent === scenarioClient)
            }
            let phase = Self.greatest(parts.map { phases[$0.name] ?? [] })
            scenes[scenarioClient.window.name] = phase
        }
        for (name, members) in Dictionary(grouping: scenarioClients, by: \.application) {
            applications[name] = Self.greatest(members.map { phases[$0.name] ?? [] })
        }
    }

    private static func phases(_ scenarioClient: ScenarioClient, _ rig: Rig, isSeen: Bool, _ typed: Set<UInt>)
        -> Set<String?>
    {
        // A window that is only covered stays in the foreground unless the manager hides it.
        let isInFront = isSeen || rig.covering.map { !rig.manager.hidesCovered.contains($0) } == true
        guard isInFront else { return rig.hadAnotherManager ? ["background", nil] : ["background"] }
        let dialogs = rig.scenarioClients.values.filter { $0.parent === scenarioClient && $0.life == .mapped }
        let hasFocus = ([scenarioClient] + dialogs).contains { typed.contains($0.window.id) }
        return [hasFocus || rig.policy == "visible" ? "active" : "inactive"]
    }

    private static func greatest(_ phases: [Set<String?>]) -> Set<String?> {
        for phase in ["active", "inactive", "background"] where phases.contains([phase]) { return [phase] }
        return phases.contains { $0.count > 1 } ? [nil, "background"] : [nil]
    }

    /// Describes where the phases that xphase has reported differ from these.
    func faults(of rig: Rig) -> [String] {
        var faults: [String] = []
        for scenarioClient in rig.scenarioClients.values {
            guard let right = scenes[scenarioClient.window.name] else { continue }
            let reported = rig.scenes[scenarioClient.window.name]
            if !right.contains(reported) {
                faults.append(
                    "\(scenarioClient.name) is \(Self.text(right)), reported as \(reported ?? "gone")")
            }
        }
        for (name, right) in applications where !right.contains(rig.applications[name]) {
            faults.append("\(name) is \(Self.text(right)), reported as \(rig.applications[name] ?? "gone")")
        }
        for (scene, phase) in rig.scenes where scenes[scene] == nil {
            faults.append("\(scene) is gone, reported as \(phase)")
        }
        for (name, phase) in rig.applications where applications[name] == nil {
            faults.append("\(name) is gone, reported as \(phase)")
        }
        return faults.sorted()
    }

    private static func text(_ phases: Set<String?>) -> String {
        phases.map { $0 ?? "gone" }.sorted().joined(separator: " or ")
    }
}
