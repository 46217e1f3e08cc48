import Console
import Hooks
import System

/// A time that an option names, in the time zone of the user.
struct ReportTime {
    private static let words = [
        "today", "yesterday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    /// The text that the user wrote.
    let text: String
    /// Milliseconds since 1970.
    let start: Int64
    /// Whether the option names a whole day.
    let isDay: Bool

    init(_ text: String) throws {
        self.text = text
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        let day = parts.first.flatMap(Self.day)
        isDay = parts.count == 1
        guard let day, let time = isDay ? day : day.at(clock: parts[1]) else {
            let near = NearestWord.to(parts.first ?? "", among: Self.words)
            throw CommandFailure.misuse(
                "write today, yesterday, monday, 2026-11-20 or '2026-11-20 09:00'"
                    + (near.map { ": did you mean '\($0)'?" } ?? ""))
        }
        start = time.milliseconds
    }

    static var now: Int64 { Int64(Timestamp.now().seconds) * 1000 + 999 }

    var end: Int64 { isDay ? min(Self.now, LocalTime(start).day(1).milliseconds) : start }

    private static func day(_ word: String) -> LocalTime? {
        let today = LocalTime(now).day()
        switch word.lowercased() {
        case "today": return today
        case "yesterday": return today.day(-1)
        default: return LocalTime(date: word) ?? today.last(weekday: word)
        }
    }
}
