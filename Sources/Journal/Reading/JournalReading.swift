import Console
import Glibc
import System

/// Reads the files of a journal a chunk at a time.
public struct JournalReading {
    private static let chunk = 1 << 18
    /// Windows set names and titles of at most 1 KiB.
    private static let longestLine = 1 << 16
    private static let day: Int64 = 86_400_000

    private let paths: [SystemString]
    private let total: Int

    /// - Parameters:
    ///   - files: Where they lie.
    ///   - window: From when until when, in milliseconds since 1970. What was there at its beginning may be told by the file
    ///     before; and days are those of the time zone that the user was in.
    public init(_ files: JournalFiles, window: Range<Int64>) throws(FileError) {
        let first = LocalTime(window.lowerBound - Self.day).date
        let last = LocalTime(window.upperBound + Self.day).date
        let dates = files.dates
        let start = max(0, (dates.firstIndex { $0 >= first } ?? dates.count) - 1)
        paths = dates[start...].filter { $0 <= last }.map(files.path)
        var total = 0
        for path in paths {
            var facts = stat()
            if stat(path.cString, &facts) == 0 { total += Int(facts.st_size) }
        }
        self.total = total
    }

    public var isEmpty: Bool { paths.isEmpty }

    /// Adds all lines to a tally.
    ///
    /// - Parameter progress: Gets the part that is read, of 1.
    public func read(into tally: Tally, progress: (Double) -> Void) throws(FileError) {
        let now = Timestamp.now()
        let time = Int64(now.seconds) * 1000
        var done = 0
        for path in paths {
            let number = open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
            // The oldest file may have been removed since.
            if number < 0 && errno == ENOENT { continue }
            let descriptor: Descriptor
            do throws(SystemError) {
                descriptor = try Descriptor("open", number)
            } catch {
                throw .failed(path: path, error)
            }
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
    ) throws(FileError) {
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.chunk)
        defer { buffer.deallocate() }
        // What the buffer has of a line whose end is still to come.
        var kept = 0
        var isTooLong = false
        while true {
            let count = Glibc.read(file.number, buffer + kept, Self.chunk - kept)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .failed(path: path, SystemError("read", errno)) }
            if count == 0 { break }
            progress(count)
            let end = buffer + kept + count
            var line = buffer
            while let newline = memchr(line, 10, end - line)?.assumingMemoryBound(to: UInt8.self) {
                if isTooLong {
                    isTooLong = false
                } else if newline > line {
                    tally.add(UnsafeBufferPointer(start: line, count: newline - line), now: now)
                }
                line = newline + 1
            }
            kept = end - line
            if kept > Self.longestLine {
                if !isTooLong { tally.addUnreadable() }
                (isTooLong, kept) = (true, 0)
            } else {
                memmove(buffer, line, kept)
            }
        }
        // Of a run that writes at this moment, or was cut off.
        if kept > 0 && !isTooLong { tally.addUnreadable() }
    }

    private static func isAlive(_ origin: RunOrigin) -> Bool {
        guard origin.pid > 0, origin.boot == Boot.id(), let pid = Int32(exactly: origin.pid) else {
            return false
        }
        return ProcessIdentity(pid: pid, startTicks: UInt64(max(0, origin.ticks))).isAlive
    }
}
