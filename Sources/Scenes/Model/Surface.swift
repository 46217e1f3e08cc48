/// The properties that determine whether a window hides the windows below it. They are read for children of root
/// windows and for the clients inside them.
package struct Surface: Hashable, Sendable, Codable {
    /// The depth in bits; nil until it is read.
    package var depth: UInt8?
    package var isInputOnly = false
    /// Whether a bounding shape is set, or not known yet.
    package var isShaped = true
    /// Whether _NET_WM_WINDOW_OPACITY makes the window translucent.
    package var isTranslucent = false

    package init() {}

    /// Returns whether the window hides everything below its rectangle. Only a compositor draws windows with their
    /// opacity and their alpha channel.
    func hidesAll(isComposited: Bool) -> Bool {
        if isInputOnly || isShaped { return false }
        return !isComposited || !isTranslucent && depth != nil && depth != 32
    }
}
