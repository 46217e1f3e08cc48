import CXlib

/// Who has the pointer and the keyboard.
extension TestClient {
    /// Takes the keys as a launcher does.
    public func grabKeyboard() {
        XGrabKeyboard(display, root, 0, Int32(GrabModeAsync), Int32(GrabModeAsync), UInt(CurrentTime))
        sync()
    }

    public func releaseKeyboard() {
        XUngrabKeyboard(display, UInt(CurrentTime))
        sync()
    }

    /// Takes the pointer as a menu does.
    public func grabPointer() {
        XGrabPointer(
            display, root, 0, 0, Int32(GrabModeAsync), Int32(GrabModeAsync), 0, 0, UInt(CurrentTime))
        sync()
    }

    /// Whether somebody else has the pointer.
    public var isPointerGrabbed: Bool {
        let status = XGrabPointer(
            display, root, 0, 0, Int32(GrabModeAsync), Int32(GrabModeAsync), 0, 0, UInt(CurrentTime))
        XUngrabPointer(display, UInt(CurrentTime))
        sync()
        return status == AlreadyGrabbed
    }

    /// Whether somebody else has the keys.
    public var isKeyboardGrabbed: Bool {
        let status = XGrabKeyboard(
            display, root, 0, Int32(GrabModeAsync), Int32(GrabModeAsync), UInt(CurrentTime))
        XUngrabKeyboard(display, UInt(CurrentTime))
        sync()
        return status == AlreadyGrabbed
    }
}
