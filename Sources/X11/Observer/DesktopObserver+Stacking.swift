import CXPipeline
import CXlib
import Scenes

extension DesktopObserver {
    /// Takes over what an event says of the order of a root window's children.
    ///
    /// What happened before the order was last read is part of that. To follow it once more would undo what came after it.
    func noteStacking(_ event: cxp_event) {
        let (type, xid) = (Int32(event.type), event.window)
        let parent = roots.firstIndex(of: event.value)
        let leaves = type == ReparentNotify && parent == nil
        guard let screen = leaves ? desktop.stacking.screen(of: xid) : parent else { return }
        guard isAfterStackingWasRead(event, screen: screen) else { return }
        hasChanged = hasChanged || judgesOcclusion
        switch type {
        case CirculateNotify where event.detail == PlaceOnTop: desktop.stacking.raise(xid)
        case CirculateNotify: desktop.stacking.move(xid, above: 0)
        case DestroyNotify: desktop.stacking.remove(xid)
        case ReparentNotify where leaves: desktop.stacking.remove(xid)
        // The server's own windows, a compositor's overlay say, are no children that it tells of.
        case _ where display.client(of: xid) == 0: break
        default: desktop.stacking.add(xid, screen: screen)
        }
    }

    /// Takes in where a child of a root window is, and above which other one.
    ///
    /// - Returns: Where it was; nil where that is not known.
    func noteStacked(_ event: cxp_event, _ place: Rectangle) -> Rectangle? {
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
        hasChanged = hasChanged || judgesOcclusion
        return old
    }

    private func isAfterStackingWasRead(_ event: cxp_event, screen: Int) -> Bool {
        guard let read = screenNotes[screen].stackingRead else { return true }
        guard Int32(bitPattern: event.sequence &- read) >= 0 else { return false }
        screenNotes[screen].stackingRead = nil
        return true
    }
}
