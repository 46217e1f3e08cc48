import Console
import Glibc
import PhaseWatch
import System

/// The folder of a journal: `$XDG_STATE_HOME/xphase/journal`, with a file for each day.
public struct JournalFiles: Sendable {
    static let suffix = ".jsonl"

    public let path: SystemString

    /// - Parameter environment: XDG_STATE_HOME and HOME determine the location.
    public init(environment: Environment) throws(SystemError) {
        path = try environment.stateDirectory().entry("journal")
    }

    init(folder path: SystemString) {
        self.path = path
    }

    /// The dates of its files, ascending.
    public var dates: [String] {
        (path.entryNames ?? []).compactMap { Self.date(of: $0.description) }.sorted()
    }

    func path(of date: String) -> SystemString { path.entry("\(date)\(Self.suffix)") }

    /// Removes at most `limit` of the oldest files that are older than `days`.
    ///
    /// The clock may be wrong. Age therefore counts from the newest file of another day if that is before today, and a
    /// wrong clock costs only a few files at a time.
    func remove(_ limit: Int, olderThan days: Int, before today: String) {
        let dates = dates
        let newest = min(today, dates.last { $0 != today } ?? today)
        let parts = newest.split(separator: "-").compactMap { Int($0) }
        let first = LocalTime(year: parts[0], month: parts[1], day: parts[2], hour: 12).day(-days).date
        for date in dates.prefix(limit) where date < first { unlink(path(of: date).cString) }
    }

    /// Returns `2026-11-22` for `2026-11-22.jsonl`; nil for names of another form.
    private static func date(of name: String) -> String? {
        guard name.hasSuffix(suffix) else { return nil }
        let date = name.dropLast(suffix.count)
        let form = Array("0000-00-00".utf8)
        let isDate =
            date.utf8.count == form.count
            && zip(date.utf8, form).allSatisfy { $1 == 0x30 ? (0x30...0x39).contains($0) : $0 == $1 }
        return isDate ? String(date) : nil
    }
}

/// A day of the calendar.
struct JournalDay {
    /// `2026-11-22`.
    let date: String
    private let seconds: Range<Int>

    init(_ time: Timestamp) {
        let local = LocalTime(Int64(time.seconds) * 1000)
        date = local.date
        let (start, end) = (local.day().milliseconds / 1000, local.day(1).milliseconds / 1000)
        seconds = Int(start)..<max(Int(start) + 1, Int(end))
    }

    func contains(_ time: Timestamp) -> Bool { seconds.contains(time.seconds) }
}

/// The file of one day, open for appending.
struct JournalFile {
    private let descriptor: Descriptor
    /// The directory of the file.
    private let directory: Descriptor
    private let path: SystemString
    /// Whether the file ends with an incomplete line.
    private var isTorn: Bool

    /// Opens the file; creates it if it is missing.
    init(of date: String, in files: JournalFiles) throws(SystemError) {
        let directory = try OwnDirectory(making: files.path, forbidding: 0o077)
        let name: SystemString = "\(date)\(JournalFiles.suffix)"
        path = directory.path(of: name)
        self.directory = directory.descriptor
        // Without O_NONBLOCK, a FIFO would wait for its reader.
        descriptor = try directory.create(name, O_RDWR | O_APPEND | O_NONBLOCK, mode: 0o600)
        let facts = try descriptor.check(path, forbidding: 0o077)
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .noFile(path: path) }
        var last: UInt8 = 0
        let count = pread(descriptor.number, &last, 1, facts.st_size - 1)
        isTorn = facts.st_size > 0 && count == 1 && last != UInt8(ascii: "\n")
    }

    /// Whether no directory entry leads to the file any more.
    var isRemoved: Bool {
        var facts = stat()
        return fstat(descriptor.number, &facts) == 0 && facts.st_nlink == 0
    }

    /// Writes whole lines at once, so lines of other writers to the same file come between them.
    mutating func append(_ lines: [UInt8]) throws(SystemError) {
        let bytes = isTorn ? [UInt8(ascii: "\n")] + lines : lines
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor.number, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                let code = count == 0 ? ENOSPC : errno
                isTorn = rest.count < bytes.count
                throw .failed(path: path, SystemError("write", code))
            }
            rest = rest.dropFirst(count)
        }
        isTorn = false
    }

    /// Makes the file and its name survive a power loss.
    func sync() throws(SystemError) {
        // Some file systems, such as vboxsf, do not support fsync(2) on directories.
        guard fsync(descriptor.number) == 0, fsync(directory.number) == 0 || errno == EINVAL else {
            throw .failed(path: path, SystemError("fsync", errno))
        }
    }
}
