/// Which windows name each other in WM_TRANSIENT_FOR.
struct TransientTree: Sendable {
    private var parents: [UInt32: UInt32] = [:]
    private var children: [UInt32: Set<UInt32>] = [:]

    /// Whether a window is known to name one, or to be named by one.
    func isLinked(_ xid: UInt32) -> Bool {
        !parents.isEmpty && (parents[xid] != nil || children[xid] != nil)
    }

    /// Updates the links of some windows.
    ///
    /// - Returns: These windows and all that are or were linked to them, directly or not.
    mutating func relatives(of windows: some Sequence<UInt32>, on desktop: Desktop) -> Set<UInt32> {
        var all: Set<UInt32> = []
        let wanted = Set(windows)
        var open = Array(wanted)
        while let xid = open.popLast() {
            guard all.insert(xid).inserted else { continue }
            if let old = parents[xid] { open.append(old) }
            let window = desktop.windows.facts(of: xid)
            link(xid, to: window?.transientFor)
            // Many name the root window, which relates them to nobody.
            guard window != nil || wanted.contains(xid) else { continue }
            if let new = parents[xid] { open.append(new) }
            open += children[xid] ?? []
        }
        return all
    }

    private mutating func link(_ xid: UInt32, to parent: UInt32?) {
        guard parents[xid] != parent else { return }
        if let old = parents[xid] {
            children[old]?.remove(xid)
            if children[old]?.isEmpty ?? false { children[old] = nil }
        }
        parents[xid] = parent
        if let parent { children[parent, default: []].insert(xid) }
    }
}

extension Desktop {
    /// The scenes of some windows, each by the slot of its main window. A window must come with all its dialogs, and
    /// with the window that it is a dialog of.
    ///
    /// A dialog of the same application as the window it is for is part of that window's scene.
    func scenes(of slots: some Sequence<Int>, _ activity: Activity) -> [Int: Reading] {
        var scenes: [Int: Reading] = [:]
        var dialogs: [(reading: Reading, main: Int)] = []
        var mains: [Int: Int?] = [:]
        for slot in slots {
            let reading = reading(of: windows.facts[slot], activity)
            if reading.phase == nil { continue }
            let main = mainSlot(of: slot, known: &mains)
            if main == slot {
                scenes[slot] = reading
            } else {
                dialogs.append((reading, main))
            }
        }
        for dialog in dialogs { scenes[dialog.main]?.include(dialog.reading) }
        return scenes
    }

    /// The slot of the window whose scene a window is part of: its own, but for dialogs of its own application.
    ///
    /// - Parameter known: What earlier calls found, nil for windows that are transient for each other. A chain of any length
    ///   is walked once.
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
            // Windows that are transient for each other are dialogs of none.
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

    /// The window that one is a dialog of; nil for one that has a scene of its own.
    private func mainParent(of slot: Int) -> Int? {
        let window = windows.facts[slot]
        guard let parent = window.transientFor.flatMap({ windows.slot(of: $0) }),
            windows.names.applicationName(of: windows.facts[parent].group)
                == windows.names.applicationName(of: window.group),
            isScene(windows.facts[parent])
        else { return nil }
        return parent
    }
}
