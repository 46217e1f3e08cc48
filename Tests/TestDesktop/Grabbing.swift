import CXlib

/// Grabs of the pointer and the keyboard.
extension TestClient {
    /// Grabs the keyboard, as a launcher does.
    public func grabKeyboard() {
        XGrabKeyboard(display, root, 0, Int32(GrabModeAsync), Int32(GrabModeAsync), UInt(CurrentTime))
        sync()
    }

    public func releaseKeyboard() {
        XUngrabKeyboard(display, UInt(CurrentTime))
        sync()
    }

    /// Grabs a key on the root window, as a program with a global hotkey does.
    public func grabKey(_ name: String, with modifiers: Int32 = 0) {
        let code = Int32(XKeysymToKeycode(display, XStringToKeysym(name)))
        XGrabKey(display, code, UInt32(modifiers), root, 0, GrabModeAsync, GrabModeAsync)
        sync()
    }

    /// Grabs the pointer, as a menu does.
    public func grabPointer() {
        XGrabPointer(
            display, root, 0, 0, Int32(GrabModeAsync), Int32(GrabModeAsync), 0, 0, UInt(CurrentTime))
        sync()
    }

    /// Whether another client has grabbed the pointer.
    public var isPointerGrabbed: Bool {
        let status = XGrabPointer(
            display, root, 0, 0, Int32(GrabModeAsync), Int32(GrabModeAsync), 0, 0, UInt(CurrentTime))
        XUngrabPointer(display, UInt(CurrentTime))
        sync()
        return status == AlreadyGrabbed
    }

    /// Whether another client has grabbed the keyboard.
    public var isKeyboardGrabbed: Bool {
        let status = XGrabKeyboard(
            display, root, 0, Int32(GrabModeAsync), Int32(GrabModeAsync), UInt(CurrentTime))
        XUngrabKeyboard(display, UInt(CurrentTime))
        sync()
        return status == AlreadyGrabbed
    }
}
