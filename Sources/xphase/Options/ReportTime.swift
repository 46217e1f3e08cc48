import ArgumentParser
import Console
import Hooks
import Journal
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
            let near = day == nil ? NearestWord.to(parts.first ?? "", among: Self.words) : nil
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

extension Report.Grouping: ExpressibleByArgument {}

/// The period of a report: by default, today until now.
struct PeriodOptions: ParsableArguments {
    @Option(
        parsing: .unconditional, help: ArgumentHelp("The start. (default: today)", valueName: "time"),
        transform: ReportTime.init)
    var since: ReportTime?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The end. (default: now)", valueName: "time"),
        transform: ReportTime.init)
    var until: ReportTime?

    var isOfDays: Bool { since?.isDay ?? true && until?.isDay ?? true }

    /// Returns the period in milliseconds since 1970.
    func range() throws -> Range<Int64> {
        let end = min(until?.end ?? .max, ReportTime.now)
        let start = since?.start ?? LocalTime(end - 1).day().milliseconds
        guard start < end else {
            let words = (since?.text ?? "today", until?.text ?? "now")
            throw CommandFailure.misuse("from \(words.0) to \(words.1): the start must be before the end")
        }
        return start..<end
    }
}
