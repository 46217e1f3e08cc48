/// The reason why an application is thawed before its phase ends.
public struct ThawReason: Hashable, Sendable {
    public let words: String

    public static let used = Self(words: "it is shown, focused or activated")
    /// The X server does not answer.
    public static let silentServer = Self(
        words: "the X server did not answer: the program may have grabbed it")
    /// The connection that monitors messages was lost.
    public static let deaf = Self(words: "xphase lost the connection that shows who calls it")
    /// What notices signs cannot be made or used.
    public static let unwatched = Self(words: "xphase cannot see who calls it")
    public static let sessionMayEnd = Self(words: "the session is about to end")
    /// Job control stops xphase.
    public static let stopped = Self(words: "xphase is stopped")

    /// The application receives a message, which the text describes.
    public static func spokenTo(_ what: String) -> Self { Self(words: what) }
}
