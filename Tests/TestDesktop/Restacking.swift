import CXlib

/// The stacking order of windows.
extension TestWindow {
    /// Places the window directly above or below another one, which a manager may have put into a frame.
    public func restack(_ place: Int32, _ sibling: TestWindow) {
        var changes = XWindowChanges()
        changes.sibling = sibling.id
        changes.stack_mode = place
        XReconfigureWMWindow(
            client.display, id, client.screen, UInt32(CWSibling | CWStackMode), &changes)
        client.sync()
    }
}

extension TestClient {
    /// Raises the lowest covered child of the root window, or lowers the topmost child that covers another one.
    public func circulate(_ direction: Int32) {
        XCirculateSubwindows(display, root, direction)
        sync()
    }

    /// The children of the root window, from bottom to top.
    public var stacking: [UInt32] {
        var (root, parent) = (Window(), Window())
        var count: UInt32 = 0
        var children: UnsafeMutablePointer<Window>?
        XQueryTree(display, self.root, &root, &parent, &children, &count)
        guard let children else { return [] }
        defer { XFree(children) }
        return UnsafeBufferPointer(start: children, count: Int(count)).map { UInt32($0) }
    }
}
