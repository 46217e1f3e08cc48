import CXPipeline
import CXlib
import Scenes

/// Reads what determines which windows are covered. Reads nothing unless occlusion is judged.
final class SurfaceReader {
    private let mirror: Mirror
    private var stale: Set<UInt32> = []

    init(_ mirror: Mirror) { self.mirror = mirror }

    var isStale: Bool { !stale.isEmpty }

    private var isJudged: Bool { mirror.desktop.stacking.isJudged }

    /// Begins or ends to judge occlusion.
    func judge(_ isWanted: Bool) {
        guard isWanted != isJudged else { return }
        mirror.desktop.stacking.isJudged = isWanted
        (mirror.desktop.surfaces, stale) = ([:], [])
        followAll()
    }

    /// Follows the children of the root window, and the known windows inside them.
    func followAll() {
        guard isJudged else { return }
        let known = mirror.desktop.windows.usedSlots.map { mirror.desktop.windows.facts[$0].id.xid }
        for window in mirror.desktop.stacking.order + known { follow(window) }
    }

    /// Reads a window, and subscribes to its changes.
    func follow(_ window: UInt32) {
        guard isJudged, mirror.desktop.surfaces[window] == nil else { return }
        mirror.desktop.surfaces[window] = Surface()
        if let shape = mirror.extensions.shape { mirror.display.select(shape: shape, of: window) }
        if !mirror.isKnown(window) { mirror.display.select(window, PropertyChangeMask) }
        stale.insert(window)
    }

    func note(_ event: DisplayEvent) {
        guard isJudged else { return }
        switch event.kind {
        case .created, .destroyed:
            mirror.desktop.surfaces[event.window] = nil
            stale.remove(event.window)
        case .mapped(let parent, _) where parent == mirror.root: follow(event.window)
        case .shape: markStale(event.window)
        case .property(let atom) where atom == mirror.atoms[.netOpacity]: markStale(event.window)
        default: break
        }
    }

    private func markStale(_ window: UInt32) {
        if mirror.desktop.surfaces[window] != nil { stale.insert(window) }
    }

    func askNext() -> Bool {
        guard let window = stale.popFirst() else { return false }
        let display = mirror.display
        display.ask(display.attributes(window)) { [unowned self] reply in
            guard let attributes = reply.fixed(xcb_get_window_attributes_reply_t.self) else { return }
            edit(window) { $0.isInputOnly = Int32(attributes._class) == InputOnly }
        }
        display.ask(display.geometry(window)) { [unowned self] reply in
            guard let geometry = reply.fixed(xcb_get_geometry_reply_t.self) else { return }
            edit(window) { $0.depth = geometry.depth }
        }
        if let shape = mirror.extensions.shape {
            display.ask(display.shape(shape, of: window)) { [unowned self] reply in
                edit(window) { $0.isShaped = reply.isShaped ?? true }
            }
        } else {
            edit(window) { $0.isShaped = false }
        }
        mirror.ask(.netOpacity, of: window, words: 1) { [unowned self] property in
            let opacity = property?.word(UInt32(XA_CARDINAL)) ?? .max
            edit(window) { $0.isTranslucent = opacity != .max }
        }
        return true
    }

    /// Applies a reply to a window that is still judged.
    private func edit(_ window: UInt32, _ change: (inout Surface) -> Void) {
        guard mirror.desktop.surfaces[window] != nil else { return }
        change(&mirror.desktop.surfaces[window, default: Surface()])
    }
}
