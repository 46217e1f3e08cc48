/// Stable words in place of titles and names: each gets its own, whatever it stands for, a class or a program.
struct StandIns {
    /// A client may make up as many as it likes.
    private static let most = 10_000

    private let word: String
    private var known: [String: String] = [:]
    private var last = 0

    init(_ word: String) {
        self.word = word
    }

    mutating func standIn(for text: String?) -> String? {
        guard let text else { return nil }
        if let known = known[text] { return known }
        if known.count == Self.most { known = [:] }
        last += 1
        known[text] = "\(word)-\(last)"
        return known[text]
    }
}
