import CLinux
import Glibc
import System

/// All processes, of which only those that were started since the last reading are read again within a second: a freeze is
/// repeated after each call that wakes its program.
struct RecentProcesses {
    private static let longest = Duration.seconds(1)
    /// From this many new numbers on, reading all costs no more.
    private static let most: Int32 = 256

    private let readAll: () -> ProcessTable
    /// The last reading of all, or of what has been started since.
    private var table = ProcessTable([])
    /// When all were read; nil for never.
    private var moment: Duration?
    /// The number of the process or thread that had been started last.
    private var last: Int32?

    init(readAll: @escaping () -> ProcessTable = ProcessTable.current) { self.readAll = readAll }

    /// Reads all processes.
    mutating func all(at now: Duration = Clock.now()) -> ProcessTable {
        // Before the table: it may lack what is started meanwhile.
        moment = now
        last = Self.lastStarted
        table = readAll()
        return table
    }

    /// Returns all processes as they were within the last second, with those that have been started since; these processes
    /// and their descendants as they are now.
    mutating func updated(for roots: [Int32], at now: Duration = Clock.now()) -> ProcessTable {
        guard let moment, now < moment + Self.longest, let former = last, let last = Self.lastStarted,
            (former..<former + Self.most).contains(last)
        else { return all(at: now) }
        let started = former < last ? (former + 1...last).filter(Self.isProcess) : []
        self.last = last
        let family = table.family(of: roots).map(\.pid)
        table.readAgain(family + started)
        return table
    }

    /// proc(5): the most recent number; the numbers grow until they begin anew.
    private static var lastStarted: Int32? {
        SystemString("/proc/loadavg").firstLine?.split(separator: " ").last.flatMap { Int32($0) }
    }

    /// Whether a number is not that of a thread: /proc has directories for both.
    private static func isProcess(_ number: Int32) -> Bool {
        (try? Descriptor("pidfd_open", pidfd_open(number, 0))) != nil
    }
}
