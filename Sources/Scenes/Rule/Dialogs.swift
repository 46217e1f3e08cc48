extension Desktop {
    /// Returns the readings of all scenes by the slot of the main window; `none` in every other slot.
    ///
    /// A dialog is part of its parent's scene if both belong to the same application or the same X client.
    func readings(_ activity: Activity) -> [Reading] {
        var scenes = Array(repeating: Reading.none, count: windows.slotCount)
        var dialogs: [(reading: Reading, main: Int)] = []
        var mains: [Int: Int?] = [:]
        for slot in 0..<windows.slotCount where !windows.facts[slot].isGone {
            let reading = reading(of: windows.facts[slot], activity)
            if reading.phase == nil { continue }
            let main = mainSlot(of: slot, known: &mains)
            if main == slot {
                scenes[slot] = reading
            } else {
                dialogs.append((reading, main))
            }
        }
        for dialog in dialogs { scenes[dialog.main].include(dialog.reading) }
        return scenes
    }

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
        let isSameApplication =
            windows.names.applicationName(of: windows.facts[parent].group)
            == windows.names.applicationName(of: window.group)
        return isSameClient || isSameApplication ? parent : nil
    }
}
