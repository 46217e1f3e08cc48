import Testing

@testable import Scenes

/// The ids of windows by name, and the words for events.
struct WindowNames {
    private var ids: [String: WindowID] = [:]
    private var names: [WindowID: String] = [:]
    private var generations: [UInt32: UInt32] = [:]

    /// Creates a window with this name, with the next generation if the name is already in use.
    mutating func create(_ name: String, xid wanted: UInt32? = nil) -> SeenWindow {
        let xid = wanted ?? ids[name]?.xid ?? UInt32(0x100 + ids.count)
        let id = WindowID(xid, generation: generations[xid, default: 0])
        generations[xid, default: 0] += 1
        ids[name] = id
        names[id] = name
        var window = SeenWindow.client(id)
        let parts = name.prefix { $0 != "." }.split(separator: "/")
        window.className = parts.first.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        window.instanceName = parts.last.map(String.init)
        return window
    }

    subscript(name: String) -> UInt32 {
        id(name).xid
    }

    func id(_ name: String) -> WindowID {
        if let id = ids[name] { return id }
        Issue.record("no window is called \(name)")
        return WindowID(0)
    }

    /// Returns an event in words; nil for a change of another level.
    func words(for event: Event, levels: Set<Change.Level>) -> String? {
        switch event {
        case .notice(let notice): return "notice: \(notice.text)"
        case .change(let change): return levels.contains(change.level) ? words(for: change) : nil
        }
    }

    private func words(for change: Change) -> String {
        let subject =
            switch change.subject {
            case .scene(let facts): names[facts.id] ?? facts.id.description
            case .group: "group \(change.group ?? "?")"
            case .application: "app \(change.application)"
            }
        let phases = [change.from, change.to].compactMap { $0?.rawValue }.joined(separator: "→")
        let kind = change.kind == .phase ? "" : "\(change.kind.rawValue) "
        return "\(subject) \(kind)\(phases) \(change.cause.rawValue)"
    }
}
