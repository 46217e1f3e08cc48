/// One thing that was read, under its name in X.
public struct Fact: Hashable, Sendable {
    /// `_NET_WM_DESKTOP`, say.
    public let name: String
    /// nil for what is not set, was not told yet, or was not needed.
    public let value: String?

    init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }
}
