/// The remarks that have been made, each once. Those of programs may differ each time, so when there are too many, all are
/// forgotten, and may be made again.
struct SaidOnce {
    static let most = 256

    private var texts: Set<String>

    init(_ texts: Set<String>) { self.texts = texts }

    var count: Int { texts.count }

    /// Adds a remark.
    ///
    /// - Returns: Whether it is new.
    mutating func insert(_ text: String) -> Bool {
        if texts.contains(text) { return false }
        if texts.count >= Self.most { texts = [] }
        texts.insert(text)
        return true
    }
}
