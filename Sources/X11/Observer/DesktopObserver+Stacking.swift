import CXPipeline
import CXlib
import Scenes

extension DesktopObserver {
    /// Updates the stacking order of a root window's children from an event.
    ///
    /// Events from before the last read of the order are ignored: that read includes them.
    func noteStacking(_ event: cxp_event) {
        let (type, xid) = (Int32(event.type), event.window)
        let parent = roots.firstIndex(of: event.value)
        let leaves = type == ReparentNotify && parent == nil
        guard let screen = leaves ? (desktop.stacking.contains(xid) ? 0 : nil) : parent else { return }
        guard isAfterStackingWasRead(event, screen: screen) else { return }
        news.hasChanged = news.hasChanged || judgesOcclusion || mayBeLocked
        switch type {
        case CirculateNotify where event.detail == PlaceOnTop: desktop.stacking.raise(xid)
        case CirculateNotify: desktop.stacking.move(xid, above: 0)
        case DestroyNotify: desktop.stacking.remove(xid)
        case ReparentNotify where leaves: desktop.stacking.remove(xid)
        // The server does not list its own windows, such as the overlay of a compositor, as children.
        case _ where display.client(of: xid) == 0: break
        default:
            desktop.stacking.add(xid)
            if type == CreateNotify, let index = desktop.stacking.index(of: xid) {
                desktop.stacking[index].place = outerPlace(of: event)
            }
        }
    }

    /// Updates the place and the stacking position of a child of a root window.
    ///
    /// - Returns: The previous place; nil if unknown.
    private func noteStacked(_ event: cxp_event, _ place: Rectangle) -> Rectangle? {
        guard let screen = roots.firstIndex(of: event.value) else { return nil }
        if isAfterStackingWasRead(event, screen: screen) {
            desktop.stacking.move(event.window, above: event.above)
        }
        guard let index = desktop.stacking.index(of: event.window) else { return nil }
        let old = desktop.stacking[index].place
        desktop.stacking[index].place = place
        news.hasChanged = news.hasChanged || judgesOcclusion || mayBeLocked
        return old
    }

    private func isAfterStackingWasRead(_ event: cxp_event, screen: Int) -> Bool {
        guard let read = screenNotes[screen].stackingRead else { return true }
        guard Int32(bitPattern: event.sequence &- read) >= 0 else { return false }
        screenNotes[screen].stackingRead = nil
        return true
    }
}

/// The places of windows.
extension DesktopObserver {
    /// Returns whether a synthetic ConfigureNotify (ICCCM 4.1.5) repeats the known place of a client, which its frame
    /// has reported before. Its position includes the border that the client requested and no longer has.
    func reportsKnownPlace(_ event: cxp_event) -> Bool {
        guard let slot = desktop.windows.slot(of: event.window), let place = desktop.windows.facts[slot].place
        else { return false }
        let border = known.notes[slot].border
        return Int32(event.x) + Int32(event.border) == place.x + border
            && Int32(event.y) + Int32(event.border) == place.y + border
            && Int32(event.width) == place.width - 2 * border
            && Int32(event.height) == place.height - 2 * border
    }

    private func outerPlace(of event: cxp_event) -> Rectangle {
        let border = 2 * Int32(event.border)
        return Rectangle(
            x: Int32(event.x), y: Int32(event.y), width: Int32(event.width) + border,
            height: Int32(event.height) + border)
    }

    /// Updates the place of a child of the root window from an event, and moves the windows in it along.
    func notePlace(_ event: cxp_event) {
        if event.override_redirect { noteLockerCandidate(event) }
        let place = outerPlace(of: event)
        let old = noteStacked(event, place)
        if let slot = desktop.windows.slot(of: event.window), isPlainTopLevel(slot) {
            edit(event.window) { $0.place = place }
            // The end of a window manager without a check window causes no event.
            if desktop.screen.manager != nil, desktop.screen.manager?.checkWindow == nil {
                stale.mustCheckManager = true
            }
            return
        }
        // Facts that were read after the event include its move already.
        let isAfterReads = Int32(bitPattern: event.sequence &- reading.upTo) >= 0
        guard isAfterReads, let old, old.width == place.width, old.height == place.height else {
            mark(.place, of: event.window)
            return
        }
        if old == place { return }
        edit(event.window) { $0.place = place }
        for window in known.framed[event.window] ?? [] {
            edit(window) {
                $0.place?.x += place.x - old.x
                $0.place?.y += place.y - old.y
            }
        }
    }
}
