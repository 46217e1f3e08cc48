import System

/// Notices what waits at the unix sockets of frozen processes: connections to those that listen, and data at those that were
/// accepted from these. It looks once a second, and only while one listens.
struct SocketWatch {
    private struct Place {
        var application: String
        var name: String
        /// What waited when it was frozen, or at the last look.
        var waiting: UInt32
    }

    private static let interval = Duration.seconds(1)

    private var places: [UInt64: Place] = [:]
    /// When to call `look`; nil for never.
    private(set) var next: Duration?

    /// Looks at the sockets of processes that were frozen just now.
    mutating func add(_ application: String, _ pids: Set<Int32>, at now: Duration) {
        let own = pids.reduce(into: Set<UInt64>()) { $0.formUnion(UnixSocket.inodes(of: $1)) }
        let sockets = own.isEmpty ? [] : UnixSocket.all.filter { own.contains($0.inode) }
        let names = Set(sockets.filter(\.isListening).map(\.name))
        for socket in sockets where names.contains(socket.name) {
            places[socket.inode] = Place(
                application: application, name: socket.name, waiting: socket.waiting)
        }
        next = places.isEmpty ? nil : next ?? now + Self.interval
    }

    mutating func keep(_ applications: Set<String>) {
        places = places.filter { applications.contains($0.value.application) }
        if places.isEmpty { next = nil }
    }

    /// The applications for which more waits than before, and at which socket.
    mutating func look(at now: Duration, _ sockets: [UnixSocket] = UnixSocket.all) -> [String: String] {
        var found: [String: String] = [:]
        for socket in sockets {
            guard let place = places[socket.inode] else { continue }
            if socket.waiting > place.waiting { found[place.application] = place.name }
            places[socket.inode]?.waiting = socket.waiting
        }
        next = places.isEmpty ? nil : now + Self.interval
        return found
    }
}
