/// The result of asking the user to point at a window.
package enum Picked: Equatable, Sendable {
    case window(UInt32)
    /// The root window, or a window that belongs to no application.
    case nothing
    /// The user pressed Escape, or a button other than the first.
    case cancelled
    /// Another client has grabbed the pointer, such as an open menu or a screen locker.
    case refused
}
