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
        if let read = screenNotes[screen].stackingRead {
            guard Int32(bitPattern: event.sequence &- read) >= 0 else { return }
            screenNotes[screen].stackingRead = nil
        }
        switch type {
        case ConfigureNotify: desktop.stacking.move(xid, above: event.above)
        case CirculateNotify where event.detail == PlaceOnTop: desktop.stacking.raise(xid)
        case CirculateNotify: desktop.stacking.move(xid, above: 0)
        case DestroyNotify: desktop.stacking.remove(xid)
        case ReparentNotify where leaves: desktop.stacking.remove(xid)
        // The server's own windows, a compositor's overlay say, are no children that it tells of.
        case _ where display.client(of: xid) == 0: break
        default: desktop.stacking.add(xid, screen: screen)
        }
    }
}
