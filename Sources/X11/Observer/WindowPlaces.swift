import CXPipeline
import CXlib
import Scenes

/// Keeps the places of windows: from events for children of the root window, from reads for the windows inside them.
final class WindowPlaces {
    private let mirror: Mirror
    private let tree: WindowTree
    private var borders: [UInt32: Int32] = [:]
    /// The sequence number of the last request whose reply is known to have been handled.
    private var readUpTo: UInt32 = 0

    init(_ mirror: Mirror, _ tree: WindowTree) { (self.mirror, self.tree) = (mirror, tree) }

    func forget(_ window: UInt32) { borders[window] = nil }

    /// Ends a reading: later events are newer than what was read.
    func endReading() { readUpTo = mirror.display.lastRequest }

    /// Asks for the outer corner of a window, and its size with the border.
    func ask(_ window: UInt32) {
        let (display, isChild) = (mirror.display, tree.isChild(window))
        display.ask(display.geometry(window)) { [unowned self] reply in
            guard let geometry = reply.fixed(xcb_get_geometry_reply_t.self) else { return }
            borders[window] = Int32(geometry.border_width)
            mirror.edit(window) {
                $0.depth = geometry.depth
                var place = Rectangle(outerOf: geometry)
                if !isChild, let old = $0.place { (place.x, place.y) = (old.x, old.y) }
                $0.place = place
            }
        }
        // The geometry of a child of the root window already gives its position there.
        if isChild { return }
        display.ask(display.position(window)) { [unowned self] reply in
            guard let inside = reply.fixed(xcb_translate_coordinates_reply_t.self) else { return }
            let border = borders[window] ?? 0
            mirror.edit(window) {
                $0.place?.x = Int32(inside.dst_x) - border
                $0.place?.y = Int32(inside.dst_y) - border
            }
        }
    }

    /// Updates the place of a child of the root window, and moves the windows in it along.
    ///
    /// - Returns: Whether the places of all of them are known.
    func note(_ place: Rectangle, of window: UInt32, _ event: DisplayEvent) -> Bool {
        if !tree.isPlainChild(window) {
            // Facts that were read after the event include its move already.
            let isAfterReads = Int32(bitPattern: event.sequence &- readUpTo) >= 0
            guard isAfterReads, let old = mirror.desktop.stacking[window]?.place, old.width == place.width,
                old.height == place.height
            else { return false }
            for inner in tree.windows(in: window) {
                mirror.edit(inner) {
                    $0.place?.x += place.x - old.x
                    $0.place?.y += place.y - old.y
                }
            }
        }
        mirror.edit(window) { $0.place = place }
        return true
    }

    /// Returns whether a synthetic ConfigureNotify (ICCCM 4.1.5) repeats the known place of a client, which its frame
    /// has reported before. Its position includes the border that the client requested and no longer has.
    ///
    /// - Parameters:
    ///   - outer: The area with the border, of the width `border`.
    func isKnown(_ outer: Rectangle, border: Int32, of window: UInt32) -> Bool {
        guard let place = mirror.desktop.windows.facts(of: window)?.place, let own = borders[window] else {
            return false
        }
        return outer.x + border == place.x + own && outer.y + border == place.y + own
            && outer.width - 2 * border == place.width - 2 * own
            && outer.height - 2 * border == place.height - 2 * own
    }
}
