import TestDesktop

/// The window manager dies, is restarted and is replaced.
extension Step {
    static let managing: [Step] = [
        .hide(.iconify, "beta"),
        Step(
            "the manager is killed and started again", needs: [.restart], isTakeover: true,
            isDone: { $0.client.isManaged },
            act: {
                try $0.restartManager()
            }),
        .focus("alpha"),
        Step(
            "the manager is replaced by itself", needs: [.replace], isTakeover: true,
            isDone: { $0.client.isManaged },
            act: { rig in
                try rig.replaceManager(by: rig.manager)
            }),
        .focus("alpha"),
        Step(
            "the manager is replaced by openbox", needs: [.replaceByAnother], isTakeover: true,
            isDone: { $0.client.isManaged },
            act: {
                try $0.replaceManager(by: .openbox)
            }),
    ]
}

extension Rig {
    func restartManager() throws {
        hadAnotherManager = true
        try process.kill()
        try process.start(client)
        try awaitTakeover()
    }

    /// Waits until the new manager has hidden beta again, and restarts the compositor, which may miss windows before
    /// that.
    private func awaitTakeover() throws {
        if manager.can(.keepIconified) {
            _ = waitUntil(within: .seconds(5)) { client.isManaged && !client.isViewable(window("beta")) }
        }
        if manager.companions.contains(.compositor) { try process.restartCompositor() }
    }

    fileprivate func replaceManager(by another: Manager) throws {
        hadAnotherManager = true
        if !manager.exitsWhenReplaced { try process.kill() }
        try replace(by: another, arguments: ["--replace"])
        try awaitTakeover()
    }
}
