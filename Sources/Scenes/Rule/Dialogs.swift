extension Desktop {
    /// The limit of a chain of dialogs. A window with a longer chain, or in a cycle, is its own scene.
    private static let longestChain = 100

    /// Returns the slot of the main window in the scene of a window. It is the window's own slot, except for dialogs of
    /// the same application or X client.
    func mainSlot(of slot: Int) -> Int {
        var main = slot
        for _ in 0..<Self.longestChain {
            guard let parent = mainParent(of: main) else { return main }
            main = parent
        }
        return slot
    }

    /// Returns the slot of the window that a dialog belongs to; nil if the window has its own scene.
    private func mainParent(of slot: Int) -> Int? {
        guard let xid = windows.facts[slot].transientFor, let parent = windows.slot(of: xid),
            isScene(windows.facts[parent])
        else { return nil }
        let client = windows.facts[slot].client
        let isSameClient = client != 0 && client == windows.facts[parent].client
        let isSameApplication = windows.groups[slot].application == windows.groups[parent].application
        return isSameClient || isSameApplication ? parent : nil
    }
}
