import System

extension Duration {
    /// Parses a duration as people write it: `250ms`, `1.5s`, `30` or `30 s`, `5min`, `1m30s`, `2h`. Returns nil for anything
    /// else, such as `1h30`, and for more than a hundred years.
    public init?(text: String) {
        var (rest, sum) = (text[...], 0.0)
        repeat {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(number.count).drop { $0 == " " }
            let word = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(word.count).drop { $0 == " " }
            // A number alone counts seconds. `1h30` may mean minutes.
            let isAlone = number.startIndex == text.startIndex && word.isEmpty && rest.isEmpty
            let unit = isAlone ? "s" : word.lowercased()
            guard let value = Double(number), let size = Self.size(of: unit) else { return nil }
            sum += value * Double(size)
        } while !rest.isEmpty
        guard sum <= Double(Self.longest) else { return nil }
        self = .milliseconds(Int(sum.rounded()))
    }

    /// The duration in the largest unit that needs no fraction: `90s`, `2m`. Fractions of a millisecond are dropped.
    public var text: String {
        let all = milliseconds
        guard all != 0, let (unit, size) = Self.units.last(where: { all % Int64($0.1) == 0 }) else {
            return "0"
        }
        return "\(all / Int64(size))\(unit)"
    }

    /// Returns the milliseconds of a unit, which may be a plural.
    private static func size(of unit: String) -> Int? {
        sizes[unit] ?? (unit.count > 2 && unit.hasSuffix("s") ? sizes[String(unit.dropLast())] : nil)
    }

    private static let sizes = [
        "ms": 1, "msec": 1, "millisecond": 1, "s": 1000, "sec": 1000, "second": 1000, "m": 60_000,
        "min": 60_000,
        "minute": 60_000, "h": 3_600_000, "hr": 3_600_000, "hour": 3_600_000, "d": 86_400_000,
        "day": 86_400_000,
        "w": 604_800_000, "week": 604_800_000,
    ]
    private static let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]
    private static let longest = 100 * 366 * 24 * 3_600_000
}
