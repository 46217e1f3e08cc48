/// A state of an application that prevents reactions.
public enum Exception: String, CaseIterable, Codable, Hashable, Sendable {
    /// A playback stream of the application is running.
    case audio
    /// A recording stream of the application is running; audio that it misses is lost.
    case microphone
    /// The application inhibits session idleness or sleep.
    case inhibit
    /// The application owns CLIPBOARD or PRIMARY. Other programs cannot paste from it while it is frozen.
    case selection
    /// Any window of the application is fullscreen.
    case fullscreen

    /// Returns the default exceptions. A stopped audio client silences all other clients.
    ///
    /// - Parameter builtIns: The reactions of the pair.
    public static func usual(for builtIns: Set<BuiltIn>) -> Set<Exception> {
        builtIns.contains(.freeze) ? [.audio, .microphone, .selection] : []
    }

    /// The reason that is reported while it holds.
    public var words: String {
        switch self {
        case .audio: "it plays audio"
        case .microphone: "it records audio"
        case .inhibit: "it inhibits idleness or sleep"
        case .selection: "it owns the selection"
        case .fullscreen: "one of its windows is fullscreen"
        }
    }
}
