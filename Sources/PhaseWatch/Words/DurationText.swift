extension Duration {
    /// Reads `250ms`, `30s`, `5m`, `1h` or `0`; nil for anything else, and for more than a hundred years.
    public init?(text: String) {
        let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]
        if text == "0" {
            self = .zero
            return
        }
        for (unit, milliseconds) in units where text.hasSuffix(unit) {
            let digits = text.dropLast(unit.count)
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
            guard let count = Int(digits), count <= Self.longest / milliseconds else { return nil }
            self = .milliseconds(count * milliseconds)
            return
        }
        return nil
    }

    private static let longest = 100 * 366 * 24 * 3_600_000
}
