import System

extension Duration {
    /// Parses `250ms`, `30s`, `5m`, `1h` or `0`; returns nil for anything else, and for more than a hundred years.
    public init?(text: String) {
        if text == "0" {
            self = .zero
            return
        }
        for (unit, milliseconds) in Self.units where text.hasSuffix(unit) {
            let digits = text.dropLast(unit.count)
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
            guard let count = Int(digits), count <= Self.longest / milliseconds else { return nil }
            self = .milliseconds(count * milliseconds)
            return
        }
        return nil
    }

    /// The duration in the largest unit that needs no fraction: `90s`, `2m`. Fractions of a millisecond are dropped.
    public var text: String {
        let all = milliseconds
        guard all != 0, let (unit, size) = Self.units.last(where: { all % Int64($0.1) == 0 }) else {
            return "0"
        }
        return "\(all / Int64(size))\(unit)"
    }

    private static let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]
    private static let longest = 100 * 366 * 24 * 3_600_000
}
