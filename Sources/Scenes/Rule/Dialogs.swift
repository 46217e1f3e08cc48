extension Desktop {
    /// Returns the slot of the main window in the scene of a window. It is the window's own slot, except for dialogs of
    /// the same application or X client.
    ///
    /// - Parameter known: The results of earlier calls; nil for windows that are transient for each other. A chain of
    ///   any length is walked once.
    func mainSlot(of slot: Int, known: inout [Int: Int?]) -> Int {
        if windows.facts[slot].transientFor == nil { return slot }
        var path: [Int] = []
        var main: Int? = slot
        var onPath: Set<Int> = []
        while let last = main {
            if let found = known[last] {
                main = found
                break
            }
            // Windows that are transient for each other are not dialogs.
            guard onPath.insert(last).inserted else {
                main = nil
                break
            }
            path.append(last)
            guard let parent = mainParent(of: last) else { break }
            main = parent
        }
        for window in path { known[window] = .some(main) }
        return main ?? slot
    }

    /// Returns the slot of the window that a dialog belongs to; nil if the window has its own scene.
    private func mainParent(of slot: Int) -> Int? {
        let window = windows.facts[slot]
        guard let parent = window.transientFor.flatMap({ windows.slot(of: $0) }),
            isScene(windows.facts[parent])
        else { return nil }
        let isSameClient = window.client != 0 && window.client == windows.facts[parent].client
        let isSameApplication = window.group.application == windows.facts[parent].group.application
        return isSameClient || isSameApplication ? parent : nil
    }
}
