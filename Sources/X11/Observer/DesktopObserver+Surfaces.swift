import CXPipeline
import CXlib
import Scenes

/// What a surface has to be asked for, each by one request.
struct SurfaceFacts: OptionSet {
    let rawValue: UInt8

    static let attributes = SurfaceFacts(rawValue: 1 << 0)
    static let geometry = SurfaceFacts(rawValue: 1 << 1)
    /// Whether it is shaped, after which its shape is asked for.
    static let isShaped = SurfaceFacts(rawValue: 1 << 2)
    static let shape = SurfaceFacts(rawValue: 1 << 3)
    static let opacity = SurfaceFacts(rawValue: 1 << 4)
    static let opaqueRegion = SurfaceFacts(rawValue: 1 << 5)
    static let frame = SurfaceFacts(rawValue: 1 << 6)
    static let shadow = SurfaceFacts(rawValue: 1 << 7)

    /// Of a child of a root window.
    static let ofChild: SurfaceFacts = [.attributes, .geometry, .isShaped, .opacity]
    /// Of a client, whose geometry is read anyway.
    static let ofClient: SurfaceFacts = [.isShaped, .opacity, .opaqueRegion, .frame, .shadow]
}

/// What is read to tell which windows are covered; nothing of it as long as nobody asks for that.
extension DesktopObserver {
    /// Rectangles of a shape. What has more hides nothing, and is never covered.
    private static let mostOfShape = 1000
    /// Rectangles of an opaque region. One of more counts as not set.
    private static let mostOfRegion = 256
    /// Frames and shadows have no wider edges.
    private static let widestMargin: UInt32 = 1024

    var judgesOcclusion: Bool { desktop.stacking.isJudged }

    func judgeOcclusion(_ isWanted: Bool) {
        guard isWanted != judgesOcclusion else { return }
        desktop.stacking.isJudged = isWanted
        desktop.surfaces = [:]
        surfaceFacts = [:]
        touchAll()
        guard isWanted else { return }
        for screen in roots.indices { stale.mark(.topLevels, screen: screen) }
        for slot in desktop.windows.usedSlots {
            followSurface(desktop.windows.facts[slot].id.xid, .ofClient)
            // Its depth comes with it.
            mark(.place, slot)
        }
    }

    /// Has facts of a window read, and told from then on.
    func followSurface(_ xid: UInt32, _ wanted: SurfaceFacts) {
        guard judgesOcclusion else { return }
        let known = surfaceFacts[xid]
        let new = wanted.subtracting(known ?? [])
        if new.isEmpty { return }
        surfaceFacts[xid] = wanted.union(known ?? [])
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
        surfaceFacts[xid] = nil
        desktop.surfaces[xid] = nil
    }

    /// Takes in that a child of a root window was mapped or unmapped.
    func noteMapped(_ event: cxp_event, _ isMapped: Bool) {
        guard judgesOcclusion, roots.contains(event.value),
            let slot = desktop.stacking.slot(of: event.window)
        else { return }
        desktop.stacking[at: slot].isMapped = isMapped
        desktop.stacking.markChanged(Int32(slot))
        hasChanged = true
        if isMapped { followSurface(event.window, .ofChild) }
    }

    func noteShape(_ event: cxp_event) {
        guard event.detail == 0, surfaceFacts[event.window] != nil else { return }
        stale.surfaces.append(Stale.StaleSurface(window: event.window, facts: .isShaped))
    }

    /// - Returns: Whether the property is one that only surfaces have.
    func noteSurfaceProperty(_ event: cxp_event) -> Bool {
        let fact: SurfaceFacts
        switch atoms.name(of: event.value) {
        case .netOpacity: fact = .opacity
        case .netOpaqueRegion: fact = .opaqueRegion
        case .netFrameExtents: fact = .frame
        case .gtkFrameExtents: fact = .shadow
        default: return false
        }
        if surfaceFacts[event.window]?.contains(fact) == true {
            stale.surfaces.append(Stale.StaleSurface(window: event.window, facts: fact))
        }
        return true
    }

    func addReads(of surfaces: [Stale.StaleSurface], to pass: inout ReadPass) {
        for surface in surfaces where surfaceFacts[surface.window] != nil {
            func add(_ part: SurfaceFacts, _ fact: Fact) {
                if surface.facts.contains(part) { pass.add(Read(fact: fact, window: surface.window)) }
            }
            add(.attributes, .surfaceAttributes)
            add(.geometry, .surfaceGeometry)
            if extensions.shape != nil {
                add(.isShaped, .surfaceIsShaped)
                add(.shape, .surfaceShape)
            } else {
                desktop.surfaces[surface.window]?.isShaped = false
            }
            add(.opacity, .opacity)
            add(.opaqueRegion, .opaqueRegion)
            add(.frame, .frameExtents)
            add(.shadow, .shadowExtents)
        }
    }

    func surfaceRequest(_ read: Read) -> UInt32 {
        let (connection, shape) = (display.connection, extensions.shape ?? 0)
        func property(_ name: AtomName, _ words: Int) -> UInt32 {
            cxp_get_property(connection, read.window, atoms[name], UInt32(words))
        }
        return switch read.fact {
        case .surfaceAttributes: cxp_get_attributes(connection, read.window)
        case .surfaceGeometry: cxp_get_geometry(connection, read.window)
        case .surfaceIsShaped: cxp_get_shape_extents(connection, shape, read.window)
        case .surfaceShape: cxp_get_shape(connection, shape, read.window)
        case .opaqueRegion: property(.netOpaqueRegion, 4 * Self.mostOfRegion)
        case .frameExtents: property(.netFrameExtents, 4)
        case .shadowExtents: property(.gtkFrameExtents, 4)
        default: property(.netOpacity, 1)
        }
    }

    func absorb(_ reply: Reply, ofSurface read: Read) {
        let xid = read.window
        guard var surface = desktop.surfaces[xid] else { return }
        let child = desktop.stacking.slot(of: xid)
        switch read.fact {
        case .surfaceAttributes:
            guard let attributes = reply.fixed(xcb_get_window_attributes_reply_t.self) else { return }
            surface.isInputOnly = Int32(attributes._class) == InputOnly
            if let child { desktop.stacking[at: child].isMapped = Int32(attributes.map_state) != IsUnmapped }
        case .surfaceGeometry:
            guard let geometry = reply.fixed(xcb_get_geometry_reply_t.self) else { return }
            surface.depth = geometry.depth
            surface.border = Int32(geometry.border_width)
            if let child { desktop.stacking[at: child].place = Rectangle(outerOf: geometry) }
        case .surfaceIsShaped:
            surface.isShaped = reply.isShaped ?? true
            surface.shape = nil
            if surface.isShaped { stale.surfaces.append(Stale.StaleSurface(window: xid, facts: .shape)) }
        case .surfaceShape: surface.shape = reply.rectangles(atMost: Self.mostOfShape)
        case .opaqueRegion: surface.opaqueRegion = region(reply.property)
        case .frameExtents: surface.frame = margins(reply.property)
        case .shadowExtents: surface.shadow = margins(reply.property)
        default:
            let words = words(reply.property)
            surface.isTranslucent = words?.count == 1 && words?.first != 0xFFFF_FFFF
        }
        desktop.surfaces[xid] = surface
        markSurfaceChanged(xid)
    }

    /// Marks a window and its child of the root window to be judged again.
    func markSurfaceChanged(_ xid: UInt32) {
        guard judgesOcclusion else { return }
        let slot = desktop.windows.slot(of: xid)
        if let slot { touch(slot) }
        let topLevel = slot.flatMap { desktop.windows.facts[$0].topLevel } ?? xid
        if let child = desktop.stacking.slot(of: topLevel) { desktop.stacking.markChanged(Int32(child)) }
    }

    /// The items of a property of cardinal numbers; nil where it is none, or longer than what was asked for.
    private func words(_ property: Property?) -> [UInt32]? {
        property?.isCut == false ? property?.words(UInt32(XA_CARDINAL)) : nil
    }

    private func margins(_ property: Property?) -> Surface.Margins {
        guard let words = words(property), words.count == 4, words.allSatisfy({ $0 <= Self.widestMargin })
        else { return .none }
        return Surface.Margins(
            left: Int32(words[0]), right: Int32(words[1]), top: Int32(words[2]), bottom: Int32(words[3]))
    }

    private func region(_ property: Property?) -> [Rectangle]? {
        guard let words = words(property), words.count.isMultiple(of: 4) else { return nil }
        var region: [Rectangle] = []
        for start in stride(from: 0, to: words.count, by: 4) {
            // The server has no window that is larger.
            guard let x = Int16(exactly: Int32(bitPattern: words[start])),
                let y = Int16(exactly: Int32(bitPattern: words[start + 1])),
                let width = UInt16(exactly: words[start + 2]), let height = UInt16(exactly: words[start + 3])
            else { return nil }
            region.append(Rectangle(x: Int32(x), y: Int32(y), width: Int32(width), height: Int32(height)))
        }
        return region
    }
}

extension DesktopObserver {
    /// Finds the windows that may be covered now or no longer, and adds them to those that were touched.
    func judgeTouched() {
        guard judgesOcclusion else { return }
        let isAlike =
            judgedScreens.count == desktop.screens.count
            && zip(judgedScreens, desktop.screens).allSatisfy { $0.hasSameRuleInput(as: $1) }
        if !isAlike { judgedScreens = desktop.screens }
        if let touched, isAlike {
            for slot in touched {
                guard let topLevel = desktop.windows.facts[Int(slot)].topLevel,
                    let child = desktop.stacking.slot(of: topLevel)
                else { continue }
                desktop.stacking.markChanged(Int32(child))
            }
        } else {
            desktop.stacking.markAllChanged()
        }
        for child in desktop.stacking.changed {
            let client = client(in: desktop.stacking.window(at: Int(child)))
            desktop.stacking[at: Int(child)].client = client.flatMap { desktop.windows.slot(of: $0) }.map {
                Int32($0)
            }
        }
        for child in desktop.judgeHiding() {
            let xid = desktop.stacking.window(at: Int(child))
            for window in framed[xid] ?? [] { desktop.windows.slot(of: window).map(touch) }
            desktop.windows.slot(of: xid).map(touch)
        }
    }
}

extension Rectangle {
    /// A window with its border.
    init(outerOf geometry: xcb_get_geometry_reply_t) {
        let border = 2 * Int32(geometry.border_width)
        self.init(
            x: Int32(geometry.x), y: Int32(geometry.y), width: Int32(geometry.width) + border,
            height: Int32(geometry.height) + border)
    }
}
