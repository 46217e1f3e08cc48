/// The printed help of a command.
enum HelpPage {
    /// Reduces the options that a command shares with `watch` to their names.
    ///
    /// - Parameter watch: The help of `watch`, which describes the shared options; nil for its own page.
    static func shortened(_ page: String, sharedWith watch: String?) -> String {
        guard let watch else { return page.replacing("\nOPTIONS:", with: "\nCOMMON OPTIONS:") }
        guard let (start, blocks, end) = options(in: page) else { return page }
        let shared = Set(options(in: watch)?.blocks ?? [])
        let own = blocks.filter { !shared.contains($0) }
        let names = blocks.filter(shared.contains).map { block in
            block.split { $0.isWhitespace }.prefix { $0.hasPrefix("-") }.joined(separator: " ")
        }
        let lines = stride(from: 0, to: names.count, by: namesInLine).map { index in
            "  " + names[index..<min(index + namesInLine, names.count)].joined(separator: ", ")
        }
        let section = own.isEmpty ? "" : "OPTIONS:\n" + own.joined(separator: "\n") + "\n\n"
        let common = "COMMON OPTIONS (see 'xphase help watch'):\n" + lines.joined(separator: "\n")
        return page[..<start] + section + common + page[end...]
    }

    private static let namesInLine = 6

    /// Returns the section of options, as one text for each option.
    static func options(
        in page: String
    ) -> (start: String.Index, blocks: [String], end: String.Index)? {
        guard let heading = page.firstRange(of: "OPTIONS:\n") else { return nil }
        let rest = page[heading.upperBound...]
        let last = rest.last == "\n" ? rest.index(before: rest.endIndex) : rest.endIndex
        let end = rest.firstRange(of: "\n\n")?.lowerBound ?? last
        let blocks = rest[..<end].replacing("\n  -", with: "\n\n  -").split(separator: "\n\n")
        return (heading.lowerBound, blocks.map(String.init), end)
    }
}
