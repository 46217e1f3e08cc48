import Console
import Glibc
import PhaseWatch
import System

/// The folder of a journal: `$XDG_STATE_HOME/xphase/journal`, with a file for each day.
public struct JournalFiles: Sendable {
    static let suffix = ".jsonl"
    private static let chunk = 1 << 18
    /// Names of windows have at most 1 KiB, of which each byte may be escaped; the writer limits their number.
    private static let longestLine = 1 << 17
    /// The number of days without a file that is no reason to doubt the clock.
    private static let longestGap = 14
    /// The number of files after a longer gap until the clock is trusted.
    private static let daysOfDoubt = 7
    /// The number of files to remove at a start and at a new day until then: one comes each day, so fewer stay after a true
    /// gap.
    private static let fewRemovals = 2

    public let path: SystemString

    /// - Parameter environment: XDG_STATE_HOME and HOME determine the location.
    public init(environment: Environment) throws(SystemError) {
        path = try environment.stateDirectory().entry("journal")
    }

    /// The dates of its files, ascending.
    public var dates: [String] {
        (path.entryNames ?? []).map(\.description).filter { $0.hasSuffix(Self.suffix) }
            .map { String($0.dropLast(Self.suffix.count)) }.filter { LocalTime(date: $0) != nil }.sorted()
    }

    func path(of date: String) -> SystemString { path.entry("\(date)\(Self.suffix)") }

    /// Removes the files that are older than `days`.
    ///
    /// The clock may be wrong. Age therefore counts from the newest file of another day if that is before today, and a
    /// clock that may have jumped costs only a few files at a time.
    func remove(olderThan days: Int, before today: String) {
        let dates = dates
        let newest = min(today, dates.last { $0 != today } ?? today)
        guard let first = LocalTime(date: newest)?.day(-days).date else { return }
        let limit = Self.mayFollowJump(dates, today) ? Self.fewRemovals : dates.count
        for date in dates.prefix(limit) where date < first { unlink(path(of: date).cString) }
    }

    /// Whether the clock may have jumped ahead: a long gap precedes one of the last days.
    private static func mayFollowJump(_ dates: [String], _ today: String) -> Bool {
        let last = dates.filter { $0 < today }.suffix(daysOfDoubt) + [today]
        return zip(last, last.dropFirst()).contains { before, after in
            LocalTime(date: before).map { $0.day(longestGap).date < after } ?? false
        }
    }

    /// Adds all lines of the period of a tally to it. Files around it are read, too: only the file before may report the
    /// state at its beginning, and days are those of the time zone that the user was in.
    ///
    /// - Parameters:
    ///   - tally: The tally.
    ///   - progress: Receives the fraction that has been read, up to 1, and may throw to end the reading.
    public func read(into tally: Tally, progress: (Double) throws -> Void = { _ in }) throws {
        let now = JournalMoment.now()
        let (first, last) = (
            LocalTime(tally.window.lowerBound).day(-1).date, LocalTime(tally.window.upperBound).day(1).date
        )
        let dates = dates
        let start = max(0, (dates.firstIndex { $0 >= first } ?? dates.count) - 1)
        let paths = dates[start...].filter { $0 <= last }.map(path)
        let total = paths.reduce(1) { total, path in
            var facts = stat()
            return stat(path.cString, &facts) == 0 ? total + Int(facts.st_size) : total
        }
        var done = 0
        for path in paths {
            let file: Descriptor
            do throws(SystemError) {
                file = try Descriptor(
                    "open", open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW), path: path)
            } catch {
                // The oldest file may have been removed since.
                if error.code == ENOENT { continue }
                throw error
            }
            guard try file.check(path, forbidding: 0o022).st_mode & S_IFMT == S_IFREG else {
                throw SystemError.noFile(path: path)
            }
            try Self.read(file, path, into: tally, now: now.time.milliseconds) { count in
                done += count
                try progress(Double(done) / Double(total))
            }
        }
        tally.finish(now: now, isAlive: \.isAlive)
    }

    /// Adds the lines of a file to a tally.
    ///
    /// - Parameter progress: Receives the number of bytes of each chunk that is read.
    private static func read(
        _ file: Descriptor, _ path: SystemString, into tally: Tally, now: Int64,
        progress: (Int) throws -> Void
    ) throws {
        var chunk = [UInt8](repeating: 0, count: chunk)
        // The beginning of a line that is incomplete so far.
        var rest: [UInt8] = []
        while true {
            let count = try SystemError.check(
                "read", Glibc.read(file.number, &chunk, chunk.count), path: path)
            if count == 0 { break }
            try progress(count)
            let bytes = rest + chunk[..<count]
            var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            // A line that is too long loses its middle, and counts as unreadable.
            rest = Array(lines.removeLast().prefix(longestLine))
            for line in lines where !line.isEmpty { tally.add(line, now: now) }
        }
        // The run is writing this line at the moment, or the line was cut off.
        if !rest.isEmpty { tally.add(rest[...], now: now) }
    }
}
