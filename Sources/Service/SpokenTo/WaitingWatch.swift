import System

/// A watch for pending events that do not wake frozen processes: connections to their listening sockets, data at
/// accepted sockets, messages from their session manager, and signals that end them. It looks once a second.
struct WaitingWatch {
    enum Caller: Hashable {
        /// The name of the socket.
        case socket(String)
        /// XSMP: the session may be about to end.
        case sessionManager
        case signal
    }

    private struct Place {
        var application: String
        var caller: Caller
        /// The amount that was pending at the freeze or at the last look.
        var waiting: UInt32
    }

    private static let interval = Duration.seconds(1)

    private var places: [UInt64: Place] = [:]
    /// The processes of the windows, by application.
    private var roots: [String: [Int32]] = [:]
    /// When to call `look`; nil for never.
    private(set) var next: Duration?

    /// Starts to watch processes that were just frozen.
    ///
    /// - Parameter roots: The processes of the windows.
    mutating func add(_ application: String, _ pids: Set<Int32>, roots: [Int32], at now: Duration) {
        self.roots[application] = roots
        let own = pids.reduce(into: Set<UInt64>()) { $0.formUnion(UnixSocket.inodes(of: $1)) }
        let sockets = own.isEmpty ? [] : UnixSocket.all
        let names = Set(sockets.filter { $0.isListening && own.contains($0.inode) }.map(\.name))
        for socket in sockets {
            if own.contains(socket.inode), names.contains(socket.name) {
                // A connection may have arrived just before the freeze without being accepted, so all pending
                // connections count.
                let place = Place(
                    application: application, caller: .socket(socket.name),
                    waiting: socket.isListening ? 0 : socket.waiting)
                places[socket.inode] = places[socket.inode] ?? place
            } else if own.contains(socket.peer), socket.name.contains(".ICE-unix/") {
                places[socket.inode] = Place(
                    application: application, caller: .sessionManager, waiting: socket.unread)
            }
        }
        next = next ?? now + Self.interval
    }

    mutating func keep(_ applications: Set<String>) {
        places = places.filter { applications.contains($0.value.application) }
        roots = roots.filter { applications.contains($0.key) }
        if roots.isEmpty { next = nil }
    }

    /// Returns the applications with more pending events than before, and their source.
    mutating func look(at now: Duration) -> [String: Caller] {
        var found: [String: Caller] = [:]
        for (application, pids) in roots where pids.contains(where: ProcessFacts.isAboutToEnd) {
            found[application] = .signal
        }
        for socket in places.isEmpty ? [] : UnixSocket.all {
            guard let place = places[socket.inode] else { continue }
            let waiting = place.caller == .sessionManager ? socket.unread : socket.waiting
            if waiting > place.waiting { found[place.application] = place.caller }
            places[socket.inode]?.waiting = waiting
        }
        next = now + Self.interval
        return found
    }
}
