import TestDesktop

/// What the screen and the keyboard say of the windows.
struct Truth {
    /// By the window; nil for one that is no scene. More than one where both are right.
    private(set) var scenes: [String: Set<String?>] = [:]
    private(set) var applications: [String: Set<String?>] = [:]

    init(of rig: Rig) throws {
        let actors = rig.actors.values
        let pixels = rig.client.pixels(of: Set(actors.map(\.window.colour)))
        let typed = try rig.typed()
        var phases: [String: Set<String?>] = [:]
        for actor in actors {
            let isSeen = pixels[actor.window.colour] != nil
            phases[actor.name] =
                switch actor.life {
                // Some managers map what was withdrawn while they hid it.
                case .withdrawn where !isSeen: [nil]
                case .unmapped where !isSeen: [nil, "background"]
                case .mapped, .unmapped, .withdrawn: Self.phases(actor, rig, isSeen: isSeen, typed)
                }
        }
        for actor in actors where !actor.isPartOfParent {
            let parts = actors.filter { $0 === actor || ($0.isPartOfParent && $0.parent === actor) }
            let phase = Self.greatest(parts.map { phases[$0.name] ?? [] })
            scenes[actor.window.name] = phase
        }
        for (name, members) in Dictionary(grouping: actors, by: \.application) {
            applications[name] = Self.greatest(members.map { phases[$0.name] ?? [] })
        }
    }

    private static func phases(_ actor: Actor, _ rig: Rig, isSeen: Bool, _ typed: Set<UInt>) -> Set<String?> {
        // What is only covered stays in the foreground, where the manager does not hide it.
        let isInFront = isSeen || rig.covering.map { !rig.manager.hidesCovered.contains($0) } == true
        guard isInFront else { return rig.hadAnotherManager ? ["background", nil] : ["background"] }
        let dialogs = rig.actors.values.filter { $0.parent === actor && $0.life == .mapped }
        let hasFocus = ([actor] + dialogs).contains { typed.contains($0.window.id) }
        return [hasFocus ? "active" : "inactive"]
    }

    private static func greatest(_ phases: [Set<String?>]) -> Set<String?> {
        for phase in ["active", "inactive", "background"] where phases.contains([phase]) { return [phase] }
        return phases.contains { $0.count > 1 } ? [nil, "background"] : [nil]
    }

    /// What is told otherwise, in words.
    func faults(of rig: Rig) -> [String] {
        var faults: [String] = []
        for actor in rig.actors.values {
            guard let right = scenes[actor.window.name] else { continue }
            let told = rig.scenes[actor.window.name]
            if !right.contains(told) {
                faults.append("\(actor.name) is \(Self.text(right)), told as \(told ?? "gone")")
            }
        }
        for (name, right) in applications where !right.contains(rig.applications[name]) {
            faults.append("\(name) is \(Self.text(right)), told as \(rig.applications[name] ?? "gone")")
        }
        for (scene, phase) in rig.scenes where scenes[scene] == nil {
            faults.append("\(scene) is gone, told as \(phase)")
        }
        for (name, phase) in rig.applications where applications[name] == nil {
            faults.append("\(name) is gone, told as \(phase)")
        }
        return faults.sorted()
    }

    private static func text(_ phases: Set<String?>) -> String {
        phases.map { $0 ?? "gone" }.sorted().joined(separator: " or ")
    }
}
