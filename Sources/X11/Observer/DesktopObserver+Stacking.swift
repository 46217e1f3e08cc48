import CXPipeline
import CXlib
import Scenes

extension DesktopObserver {
    /// Takes over what an event says of the order of a root window's children.
    ///
    /// Events from before the last read of the order are ignored: that read includes them.
    func noteStacking(_ event: cxp_event) {
        let (type, xid) = (Int32(event.type), event.window)
        let parent = roots.firstIndex(of: event.value)
        let leaves = type == ReparentNotify && parent == nil
        guard let screen = leaves ? desktop.stacking.screen(of: xid) : parent else { return }
        guard isAfterStackingWasRead(event, screen: screen) else { return }
        news.hasChanged = news.hasChanged || judgesOcclusion || mayBeLocked
        switch type {
        case CirculateNotify where event.detail == PlaceOnTop: desktop.stacking.raise(xid)
        case CirculateNotify: desktop.stacking.move(xid, above: 0)
        case DestroyNotify: desktop.stacking.remove(xid)
        case ReparentNotify where leaves: desktop.stacking.remove(xid)
        // The server's own windows, a compositor's overlay say, are no children that it tells of.
        case _ where display.client(of: xid) == 0: break
        default:
            let slot = desktop.stacking.add(xid, screen: screen)
            if type == CreateNotify { desktop.stacking[at: slot].place = outerPlace(of: event) }
        }
    }

    /// Takes in where a child of a root window is, and above which other one.
    ///
    /// - Returns: Where it was; nil where that is not known.
    private func noteStacked(_ event: cxp_event, _ place: Rectangle) -> Rectangle? {
        guard let screen = roots.firstIndex(of: event.value) else { return nil }
        let slot =
            isAfterStackingWasRead(event, screen: screen)
            ? desktop.stacking.move(event.window, above: event.above)
            : desktop.stacking.slot(of: event.window)
        guard let slot else { return nil }
        let old = desktop.stacking[at: slot].place
        if old != place {
            desktop.stacking[at: slot].place = place
            desktop.stacking.markChanged(Int32(slot))
        }
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

/// Where windows are.
extension DesktopObserver {
    /// Whether a synthetic ConfigureNotify (ICCCM 4.1.5) tells a known place of a client: its frame has reported it before.
    /// Its position counts the border that the client asked for and has no longer.
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

    /// Of a child of the root window the event says where it is, and what is in it moves with it.
    func notePlace(_ event: cxp_event) {
        if event.override_redirect { noteLockerCandidate(event) }
        let place = outerPlace(of: event)
        let old = noteStacked(event, place)
        if let slot = desktop.windows.slot(of: event.window), isPlainTopLevel(slot) {
            edit(event.window) { $0.place = place }
            // The end of a manager that has no window brings no event about.
            if desktop.screens.contains(where: { $0.manager != nil && $0.manager?.checkWindow == nil }) {
                stale.mustCheckManager = true
            }
            return
        }
        // What was read after the event has its move in it already.
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
