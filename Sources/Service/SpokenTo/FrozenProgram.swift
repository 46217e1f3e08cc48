import Console
import Glibc
import System

/// A frozen application, and what was pending for its processes at the freeze or at the last look: connections to their
/// listening sockets, data at accepted sockets, messages from their session manager, and signals that end them. None of
/// these wake a stopped process. Nor do second starts of its program, in which the second process hands over to the first.
struct FrozenProgram {
    private struct Socket {
        var name: String
        /// Whether it is a session manager's end of a connection (XSMP): the session may be about to end.
        var isOfManager: Bool
        /// The amount that was pending.
        var waiting: UInt32
    }

    /// The precision of process start times in the kernel.
    private static let tick = Duration.milliseconds(10)

    private let application: String
    /// The processes of its windows.
    private let roots: [Int32]
    /// When it was frozen, since boot. A process that starts later is a second one.
    private let moment: Duration
    private var sockets: [UInt64: Socket] = [:]

    init(_ application: String, _ pids: Set<Int32>, roots: [Int32], at moment: Duration = Clock.sinceBoot()) {
        (self.application, self.roots, self.moment) = (application, roots, moment)
        let own = pids.reduce(into: Set<UInt64>()) { $0.formUnion(UnixSocket.inodes(of: $1)) }
        let all = own.isEmpty ? [] : UnixSocket.all
        let names = Set(all.filter { $0.isListening && own.contains($0.inode) }.map(\.name))
        for socket in all {
            if own.contains(socket.inode), names.contains(socket.name) {
                // A connection may have arrived just before the freeze without being accepted, so all pending
                // connections count.
                let waiting = socket.isListening ? 0 : socket.waiting
                sockets[socket.inode] = Socket(name: socket.name, isOfManager: false, waiting: waiting)
            } else if own.contains(socket.peer), socket.name.contains(".ICE-unix/") {
                sockets[socket.inode] = Socket(name: socket.name, isOfManager: true, waiting: socket.unread)
            }
        }
    }

    var hasSockets: Bool { !sockets.isEmpty }

    /// Returns what tries to reach the application.
    ///
    /// - Parameters:
    ///   - sockets: All sockets.
    ///   - table: All processes, to search for second starts; nil to search for none.
    ///   - display: The display of the application.
    mutating func look(
        at sockets: [UnixSocket], _ table: ProcessTable?, display: DisplayFileName
    ) -> [SpokenTo.News] {
        var news: [SpokenTo.News] = []
        func speak(_ text: String) { news.append(.spoken(application: application, text)) }
        for socket in sockets {
            guard let former = self.sockets[socket.inode] else { continue }
            let waiting = former.isOfManager ? socket.unread : socket.waiting
            self.sockets[socket.inode]?.waiting = waiting
            if waiting <= former.waiting { continue }
            if former.isOfManager {
                news.append(.sessionMayEnd)
            } else {
                speak("a connection or data at its socket \(former.name.escapedForTerminal)")
            }
        }
        if roots.contains(where: ProcessFacts.isAboutToEnd) { speak("a signal that ends it") }
        if let pid = table.flatMap({ secondStart(in: $0, on: display) }) {
            speak("a second start of its program, process \(pid)")
        }
        return news
    }

    // MARK: Second starts

    private func secondStart(in table: ProcessTable, on display: DisplayFileName) -> Int32? {
        for pid in roots {
            guard let own = table.rows[pid], let file = Self.file(of: pid) else { continue }
            let script = Self.script(of: pid)
            let second = table.rows.values.first { row in
                // A program that is not frozen starts processes of its own all the time, so children of the same file
                // do not count.
                row.identity.started + Self.tick > moment && row.name == own.name
                    && Self.file(of: row.pid) == file && Self.file(of: row.parent) != file
                    && (script == nil || script == Self.script(of: row.pid))
                    && Self.display(of: row.pid) == display
            }
            if let second { return second.pid }
        }
        return nil
    }

    /// Returns the display that a process was started on; nil if its environment is hidden, or overwritten as xterm
    /// does.
    private static func display(of pid: Int32) -> DisplayFileName? {
        let variables = ProcessFolder(pid: pid)?.text("environ")?.split(separator: "\0") ?? []
        return variables.first { $0.hasPrefix("DISPLAY=") }.map { DisplayFileName(String($0.dropFirst(8))) }
    }

    private static func file(of pid: Int32) -> SystemString? { SystemString("/proc/\(pid)/exe").linkTarget }

    /// Returns the script or the main class that a process executes; nil if it is not an interpreter, or if that is
    /// hidden.
    private static func script(of pid: Int32) -> String? {
        guard let file = file(of: pid)?.components.last?.description,
            let line = ProcessFolder(pid: pid)?.text("cmdline")
        else { return nil }
        return script(of: line.split(separator: "\0").map(String.init), executedBy: file)
    }

    private static let interpreters: Set = [
        "bash", "dash", "electron", "fish", "gjs", "guile", "java", "ksh", "lua", "mono", "node", "nodejs",
        "perl", "php", "pypy", "python", "ruby", "sh", "tclsh", "wine", "wish", "zsh",
    ]
    /// The options whose values could be mistaken for a script.
    private static let valued: Set = [
        "-cp", "-classpath", "--class-path", "--module-path", "-r", "--require", "-X", "-W", "-I",
    ]

    /// Returns the name of the script, main class or module in a command line; nil if there is none.
    ///
    /// - Parameter file: The name of the executable, such as `python3.11`.
    static func script(of arguments: [String], executedBy file: String) -> String? {
        guard interpreters.contains(String(file.prefix { $0.isLetter })) else { return nil }
        // Wine replaces the first argument with the path of the program.
        var script = arguments.first { $0.lowercased().hasSuffix(".exe") }
        var rest = arguments.dropFirst()
        while script == nil, let argument = rest.popFirst() {
            if valued.contains(argument) {
                rest = rest.dropFirst()
            } else if !argument.hasPrefix("-") {
                script = argument
            }
        }
        // A second start may name the same script by another path.
        return script?.split { $0 == "/" || $0 == "\\" }.last.map(String.init)
    }
}
