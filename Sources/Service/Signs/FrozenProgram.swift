import Console
import Hooks
import System

/// A frozen application, and what was pending for its processes at the freeze or at the last look: connections to their
/// listening sockets, data at accepted sockets, messages from their session manager, and signals that end them. None of
/// these wake a stopped process. Nor do second starts of its program, in which the second process hands over to the first.
struct FrozenProgram {
    /// The precision of process start times in the kernel.
    private static let tick = Duration.milliseconds(10)

    /// The processes of its windows.
    private let roots: [Int32]
    /// When its freeze was begun, since boot. A process that starts later is a second one.
    private let moment: Duration
    /// The sockets by inode, with the amounts that were pending. Those of a session manager are its ends of connections
    /// (XSMP): the session may be about to end.
    private var sockets: [UInt64: (isOfManager: Bool, waiting: UInt32)] = [:]

    /// - Parameters:
    ///   - moment: When its freeze was begun, since boot.
    ///   - sockets: All sockets.
    init(
        _ pids: Set<Int32>, roots: [Int32], since moment: Duration,
        among sockets: @autoclosure () -> [UnixSocket]
    ) {
        self.roots = roots
        self.moment = moment
        let own = Set(pids.flatMap { OpenFiles(of: $0).sockets })
        let all = own.isEmpty ? [] : sockets()
        let names = Set(all.filter { $0.isListening && own.contains($0.inode) }.map(\.name))
        for socket in all {
            if own.contains(socket.inode), names.contains(socket.name) {
                // A connection may have arrived just before the freeze without being accepted, so all pending
                // connections count.
                self.sockets[socket.inode] = (false, socket.isListening ? 0 : socket.waiting)
            } else if own.contains(socket.peer), socket.name.contains(".ICE-unix/") {
                self.sockets[socket.inode] = (true, socket.unread)
            }
        }
    }

    var hasSockets: Bool { !sockets.isEmpty }

    /// Returns what tries to reach the application.
    ///
    /// - Parameter all: All sockets.
    mutating func look(at all: [UnixSocket]) -> [ThawReason] {
        var reasons: [ThawReason] = []
        for socket in all {
            guard let (isOfManager, former) = sockets[socket.inode] else { continue }
            let waiting = isOfManager ? socket.unread : socket.waiting
            sockets[socket.inode]?.waiting = waiting
            if waiting <= former { continue }
            let words = "a connection or data at its socket \(socket.name.escapedForTerminal)"
            reasons.append(isOfManager ? .sessionMayEnd : .spokenTo(words))
        }
        if roots.contains(where: ProcessFacts.isAboutToEnd) {
            reasons.append(.spokenTo("a signal that ends it"))
        }
        return reasons
    }

    // MARK: Second starts

    /// Returns the processes that may be second starts, each with the process of a window that it may have been meant for.
    /// Their memory decides.
    func possibleStarts(in table: ProcessTable) -> [ProcessIdentity: Int32] {
        var starts: [ProcessIdentity: Int32] = [:]
        for pid in roots {
            guard let own = table.rows[pid], let file = ExecutedProgram.file(of: pid) else { continue }
            for row in table.rows.values where row.identity.started + Self.tick > moment {
                // A program that is not frozen starts processes of its own all the time, so children of the same file
                // do not count.
                if row.name == own.name, ExecutedProgram.file(of: row.pid) == file,
                    ExecutedProgram.file(of: row.parent) != file
                {
                    starts[row.identity] = pid
                }
            }
        }
        return starts
    }

    /// Returns whether a process that may be a second start is one. May wait for the memory of both processes.
    ///
    /// - Parameter display: The display of the application.
    static func isSecondStart(_ pid: Int32, of first: Int32, on display: DisplayFileName) -> Bool {
        let script = ExecutedProgram(of: first)?.script
        // The environment may be hidden, or overwritten as xterm does.
        guard script == nil || script == ExecutedProgram(of: pid)?.script,
            let name = Environment(of: pid)?["DISPLAY"]
        else { return false }
        return DisplayFileName(name.description) == display
    }
}
