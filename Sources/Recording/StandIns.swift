/// Stable words in place of titles and names. Equal texts have the same word, whether they name a class or a program.
struct StandIns {
    /// The maximum number of texts to remember: a client may make up any number of them.
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
