import CXPipeline
import CXlib
import Scenes

/// The facts of a surface, each read by one request.
struct SurfaceFacts: OptionSet {
    let rawValue: UInt8

    static let attributes = SurfaceFacts(rawValue: 1 << 0)
    static let geometry = SurfaceFacts(rawValue: 1 << 1)
    static let isShaped = SurfaceFacts(rawValue: 1 << 2)
    static let opacity = SurfaceFacts(rawValue: 1 << 3)

    /// The facts of a child of a root window.
    static let ofChild: SurfaceFacts = [.attributes, .geometry, .isShaped, .opacity]
    /// The facts of a client. Its geometry is read anyway.
    static let ofClient: SurfaceFacts = [.isShaped, .opacity]
}

/// The reads that determine which windows are covered. They are made only while occlusion is judged.
extension DesktopObserver {
    var judgesOcclusion: Bool { desktop.stacking.isJudged }

    func judgeOcclusion(_ isWanted: Bool) {
        guard isWanted != judgesOcclusion else { return }
        desktop.stacking.isJudged = isWanted
        desktop.surfaces = [:]
        occlusion.facts = [:]
        guard isWanted else { return }
        for screen in roots.indices { stale.mark(.topLevels, screen: screen) }
        for slot in desktop.windows.usedSlots {
            followSurface(desktop.windows.facts[slot].id.xid, .ofClient)
            // The geometry includes the depth.
            mark(.place, slot)
        }
    }

    /// Reads facts of a window, and subscribes to their changes.
    func followSurface(_ xid: UInt32, _ wanted: SurfaceFacts) {
        guard judgesOcclusion else { return }
        let known = occlusion.facts[xid]
        let new = wanted.subtracting(known ?? [])
        if new.isEmpty { return }
        occlusion.facts[xid] = wanted.union(known ?? [])
        if known == nil {
            desktop.surfaces[xid] = Surface()
            if let shape = extensions.shape { cxp_select_shape(display.connection, shape, xid) }
            if desktop.windows.slot(of: xid) == nil {
                cxp_select(display.connection, xid, UInt32(PropertyChangeMask))
            }
        }
        stale.surfaces.append(Stale.StaleSurface(window: xid, facts: new))
    }

    func forgetSurface(_ xid: UInt32) {
        guard judgesOcclusion else { return }
        occlusion.facts[xid] = nil
        desktop.surfaces[xid] = nil
    }

    /// Records that a child of a root window was mapped or unmapped.
    func noteMapped(_ event: cxp_event, _ isMapped: Bool) {
        guard judgesOcclusion, roots.contains(event.value),
            let index = desktop.stacking.index(of: event.window)
        else { return }
        desktop.stacking[index].isMapped = isMapped
        news.hasChanged = true
        if isMapped { followSurface(event.window, .ofChild) }
    }

    func noteShape(_ event: cxp_event) {
        guard event.detail == 0 else { return }
        if let slot = desktop.windows.slot(of: event.window), desktop.windows.facts[slot].isOverrideRedirect {
            mark(.shape, slot)
        }
        guard occlusion.facts[event.window] != nil else { return }
        stale.surfaces.append(Stale.StaleSurface(window: event.window, facts: .isShaped))
    }

    /// - Returns: Whether only surfaces have the property.
    func noteSurfaceProperty(_ event: cxp_event) -> Bool {
        guard let fact = SurfaceFacts.table.group(of: atoms.name(of: event.value)) else { return false }
        if occlusion.facts[event.window]?.contains(fact) == true {
            stale.surfaces.append(Stale.StaleSurface(window: event.window, facts: fact))
        }
        return true
    }

    func addReads(of surfaces: [Stale.StaleSurface], to pass: inout ReadPass) {
        for surface in surfaces where occlusion.facts[surface.window] != nil {
            var facts = surface.facts
            if extensions.shape == nil {
                desktop.surfaces[surface.window]?.isShaped = false
                facts.remove(.isShaped)
            }
            pass.add(facts, of: SurfaceFacts.table, for: self, window: surface.window)
        }
    }

    /// Applies a reply to a window that is still judged.
    func edit(surface xid: UInt32, _ change: (inout Surface) -> Void) {
        guard desktop.surfaces[xid] != nil else { return }
        change(&desktop.surfaces[xid, default: Surface()])
    }

    func absorbSurfaceAttributes(_ reply: Reply, _ xid: UInt32) {
        guard let attributes = reply.fixed(xcb_get_window_attributes_reply_t.self) else { return }
        edit(surface: xid) { $0.isInputOnly = Int32(attributes._class) == InputOnly }
        if let child = desktop.stacking.index(of: xid) {
            desktop.stacking[child].isMapped = Int32(attributes.map_state) != IsUnmapped
        }
    }

    func absorbSurfaceGeometry(_ reply: Reply, _ xid: UInt32) {
        guard let geometry = reply.fixed(xcb_get_geometry_reply_t.self) else { return }
        edit(surface: xid) { $0.depth = geometry.depth }
        if let child = desktop.stacking.index(of: xid) {
            desktop.stacking[child].place = Rectangle(outerOf: geometry)
        }
    }
}

extension Rectangle {
    /// Creates the area of a window with its border.
    init(outerOf geometry: xcb_get_geometry_reply_t) {
        let border = 2 * Int32(geometry.border_width)
        self.init(
            x: Int32(geometry.x), y: Int32(geometry.y), width: Int32(geometry.width) + border,
            height: Int32(geometry.height) + border)
    }
}
