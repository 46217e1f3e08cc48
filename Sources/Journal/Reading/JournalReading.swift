import Console
import Glibc
import System

/// A reader of the files of a journal, in chunks.
public struct JournalReading {
    private static let chunk = 1 << 18
    /// Names and titles of windows have at most 1 KiB.
    private static let longestLine = 1 << 16
    private static let day: Int64 = 86_400_000

    private let paths: [SystemString]

    /// - Parameters:
    ///   - files: The files of the journal.
    ///   - window: The period in milliseconds since 1970. Files around it are read, too: only the file before may
    ///     report the state at its beginning, and days are those of the time zone that the user was in.
    public init(_ files: JournalFiles, window: Range<Int64>) {
        let first = LocalTime(window.lowerBound - Self.day).date
        let last = LocalTime(window.upperBound + Self.day).date
        let dates = files.dates
        let start = max(0, (dates.firstIndex { $0 >= first } ?? dates.count) - 1)
        paths = dates[start...].filter { $0 <= last }.map(files.path)
    }

    public var isEmpty: Bool { paths.isEmpty }

    /// Adds all lines to a tally.
    ///
    /// - Parameter progress: Receives the fraction that has been read, up to 1.
    public func read(into tally: Tally, progress: (Double) -> Void) throws(SystemError) {
        let now = Timestamp.now()
        let time = Int64(now.seconds) * 1000
        let total = paths.reduce(0) { total, path in
            var facts = stat()
            return stat(path.cString, &facts) == 0 ? total + Int(facts.st_size) : total
        }
        var done = 0
        for path in paths {
            let number = open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
            // The oldest file may have been removed since.
            if number < 0 && errno == ENOENT { continue }
            let descriptor = try Descriptor("open", number, path: path)
            guard try descriptor.check(path, forbidding: 0o022).st_mode & S_IFMT == S_IFREG else {
                throw .noFile(path: path)
            }
            try read(descriptor, path, into: tally, now: time) {
                done += $0
                progress(Double(done) / Double(max(1, total)))
            }
        }
        tally.finish(
            now: (time + Int64(now.nanoseconds / 1_000_000), Clock.now().milliseconds), isAlive: Self.isAlive)
    }

    private func read(
        _ file: Descriptor, _ path: SystemString, into tally: Tally, now: Int64, progress: (Int) -> Void
    ) throws(SystemError) {
        var chunk = [UInt8](repeating: 0, count: Self.chunk)
        // Begins with the incomplete last line of the previous chunk.
        var bytes: [UInt8] = []
        var isTooLong = false
        while true {
            let count = Glibc.read(file.number, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .failed(path: path, SystemError("read", errno)) }
            if count == 0 { break }
            progress(count)
            bytes += chunk[..<count]
            var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
            let rest = lines.removeLast()
            if isTooLong && !lines.isEmpty {
                lines.removeFirst()
                isTooLong = false
            }
            for line in lines where !line.isEmpty { tally.add(line, now: now) }
            bytes = isTooLong ? [] : Array(rest)
            if bytes.count > Self.longestLine {
                tally.addUnreadable()
                (bytes, isTooLong) = ([], true)
            }
        }
        // The run is writing this line at the moment, or the line was cut off.
        if !bytes.isEmpty { tally.addUnreadable() }
    }

    private static func isAlive(_ origin: RunOrigin) -> Bool {
        guard origin.pid > 0, origin.boot == Boot.id(), let pid = Int32(exactly: origin.pid) else {
            return false
        }
        return ProcessIdentity(pid: pid, startTicks: UInt64(max(0, origin.ticks))).isAlive
    }
}
