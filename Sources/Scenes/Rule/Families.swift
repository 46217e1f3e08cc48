/// Which windows name each other in WM_TRANSIENT_FOR.
struct Families: Sendable {
    private var parents: [UInt32: UInt32] = [:]
    private var children: [UInt32: Set<UInt32>] = [:]

    /// The windows that name one.
    var members: Set<UInt32> { Set(parents.keys) }

    /// Whether a window names none and none names it, now and before.
    func isAlone(_ xid: UInt32, on desktop: Desktop) -> Bool {
        if desktop.windows[xid]?.transientFor != nil { return false }
        return parents.isEmpty || (parents[xid] == nil && children[xid] == nil)
    }

    /// Takes in what some windows name now.
    ///
    /// - Returns: They and all that belong to them by any chain, as it is or was.
    mutating func relatives(of windows: Set<UInt32>, on desktop: Desktop) -> Set<UInt32> {
        var all: Set<UInt32> = []
        var open = Array(windows)
        while let xid = open.popLast() {
            guard all.insert(xid).inserted else { continue }
            if let old = parents[xid] { open.append(old) }
            link(xid, to: desktop.windows[xid]?.transientFor)
            // Many name the root window, which makes them no family.
            guard desktop.windows[xid] != nil || windows.contains(xid) else { continue }
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
