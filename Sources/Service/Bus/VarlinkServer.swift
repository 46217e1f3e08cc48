import Console
import Glibc
import System

/// A Varlink interface of a service.
public protocol VarlinkInterface: AnyObject {
    /// Such as `org.xphase.Phases`.
    static var name: String { get }
    /// The definition of the interface (https://varlink.org/Interface-Definition).
    static var description: String { get }

    /// Answers a call, or keeps it to answer it later.
    func handle(_ call: VarlinkCall) throws(VarlinkError)
}

/// A Varlink (https://varlink.org) server for programs of the same user, in the loop of the watch. It never waits for a
/// client: each has a deadline for its message and a limit of unread bytes.
public final class VarlinkServer: WatchMember {
    static let mostPeers = 256
    /// The number of calls in a turn: of one client, after which the others have theirs, and of all clients.
    static let mostCalls = (ofOne: 16, ofAll: 256)
    /// The pause in accepting connections when the process has no descriptor left.
    private static let rest = Duration.seconds(1)
    private static let patience = Duration.seconds(1)

    private var files: ServerFiles
    /// Follows the files in the runtime directory; nil if they cannot be watched.
    private var watch: FileWatch?
    /// Whether they have changed, and the thread does not know yet.
    private var haveFilesChanged = false
    /// Makes files again: their disk may not answer. nil before the first change.
    private var disk: DiskQueue<Renewal>?
    private let others: [any VarlinkInterface]
    private let say: (String) -> Void
    private var peers: [VarlinkPeer] = []
    private var restEnd: Duration?
    private var loop: EventLoop?

    /// What was made again, and what could not be.
    private struct Renewal: Sendable {
        var files: ServerFiles
        var faults: [String] = []
    }

    /// Creates the socket. A stale one of the display is replaced.
    ///
    /// - Parameters:
    ///   - lock: The lock of the display.
    ///   - interfaces: The interfaces besides org.varlink.service.
    ///   - say: Receives messages for the user.
    public init(
        _ lock: InstanceLock, _ interfaces: [any VarlinkInterface], say: @escaping (String) -> Void
    ) throws(SystemError) {
        files = try ServerFiles(lock)
        others = interfaces
        self.say = say
    }

    var interfaces: [any VarlinkInterface] { [self] + others }

    func interface(_ name: String) throws(VarlinkError) -> any VarlinkInterface {
        guard let interface = interfaces.first(where: { type(of: $0).name == name }) else {
            throw .interfaceNotFound(name)
        }
        return interface
    }

    // MARK: The loop

    public func join(_ loop: EventLoop) {
        self.loop = loop
        listen(for: POLLIN)
        do throws(SystemError) {
            let watch = try FileWatch(paths: [files.lock.socketPath, files.lock.path])
            loop.watch(watch.descriptor) { [unowned self] in
                if watch.read() { haveFilesChanged = true }
                renew()
            }
            self.watch = watch
        } catch {
            say("cannot notice if the Varlink socket is removed: \(error)")
        }
    }

    public var next: Duration? { (peers.map(\.deadline) + [restEnd]).compactMap(\.self).min() }

    private func listen(for events: Int32) {
        loop?.watch(files.listener.number, for: events) { [unowned self] in admit() }
    }

    public func wake() { wake(at: Clock.now()) }

    func wake(at now: Duration) {
        for peer in peers { if let end = peer.deadline, end <= now { drop(peer) } }
        if let restEnd, restEnd <= now {
            self.restEnd = nil
            listen(for: POLLIN)
        }
    }

    /// Stops listening and drops every client. No client can connect again, though the socket is left.
    public func close() {
        shutdown(files.listener.number, Int32(SHUT_RDWR))
        for descriptor in [files.listener.number, watch?.descriptor, disk?.answers.number] {
            descriptor.map { loop?.forget($0) }
        }
        peers.forEach(drop)
    }

    /// Removes the socket after `close`, while the lock is held. Waits for its disk, for a second at most: the next start
    /// replaces a socket that is left. Must be the last call.
    public func remove() {
        guard let disk = try? DiskQueue<Never>() else { return }
        disk.submit { [lock = files.lock] in
            try? lock.directory.remove(lock.name)
            return nil
        }
        disk.finish(within: Self.patience)
    }

    /// Begins to make the socket and the lock file again if they were removed, or their directory was.
    private func renew() {
        guard haveFilesChanged, disk?.isBusy != true else { return }
        haveFilesChanged = false
        do throws(SystemError) {
            let disk = try disk.begun()
            loop?.watch(disk.answers.number) { [unowned self] in takeRenewed() }
            disk.submit { [files, watch] in
                var renewal = Renewal(files: files)
                do throws(SystemError) {
                    // First, so that no change after it is missed.
                    try watch?.update()
                } catch {
                    renewal.faults.append("\(error)")
                }
                do { try renewal.files.renew() } catch { renewal.faults.append(Self.loss("\(error)")) }
                return renewal
            }
        } catch {
            say(Self.loss("\(error)"))
        }
    }

    private static func loss(_ reason: String) -> String {
        "the Varlink socket was removed and cannot be made again: \(reason)"
    }

    private func takeRenewed() {
        for renewal in disk?.takeAnswers() ?? [] {
            let former = files.listener
            files = renewal.files
            renewal.faults.forEach(say)
            if files.listener === former { continue }
            loop?.forget(former.number)
            listen(for: restEnd == nil ? POLLIN : 0)
            say("the Varlink socket was removed; xphase made it again")
        }
        renew()
    }

    // MARK: Clients

    private func admit() {
        let connection: Descriptor
        do {
            connection = try files.listener.accept()
        } catch {
            guard [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(error.code) else { return }
            // poll(2) would report the listener as readable all the time.
            listen(for: 0)
            restEnd = Clock.now() + Self.rest
            return
        }
        let peer = VarlinkPeer(connection, loop: loop)
        guard peers.count < Self.mostPeers else {
            peer.send(crowd.json + [0])
            return peer.close()
        }
        peers.append(peer)
        loop?.watch(connection.number) { [unowned self, unowned peer] in serve(peer) }
        // Most clients have already sent their call.
        serve(peer)
    }

    /// The error for a client that is one too many. It names the process with the most connections.
    private var crowd: VarlinkError {
        let counts = Dictionary(peers.map { ($0.pid, 1) }, uniquingKeysWith: +)
        let (pid, most) = counts.max { $0.value < $1.value } ?? (0, 0)
        let name = SystemString("/proc/\(pid)/comm").contents()?.split(separator: "\n").first
        let process = pid > 0 ? "process \(pid)\(name.map { " (\($0))" } ?? "")" : "another container"
        let text =
            "'xphase run' accepts no more connections: it has \(peers.count), \(most) of them from \(process)"
        return VarlinkError(error: VarlinkError.tooManyConnections, parameters: ["text": text])
    }

    /// Serves a client as far as possible without waiting.
    private func serve(_ peer: VarlinkPeer) {
        peer.flush()
        guard peer.read(), !(peer.isBusy && peer.isGone) else { return drop(peer) }
        let share = max(1, Self.mostCalls.ofAll / max(1, peers.count))
        for _ in 0..<min(share, Self.mostCalls.ofOne) {
            guard let message = peer.nextMessage() else { break }
            // Do not perform a call that its client has given up.
            guard let call = VarlinkCall(message), call.isOneway || !peer.isGone else { return drop(peer) }
            if !call.isOneway { call.begin(for: peer) }
            do throws(VarlinkError) {
                try interface(call.interface).handle(call)
            } catch {
                call.fail(error)
            }
        }
        if !peer.isBusy && peer.isReleased { drop(peer) }
    }

    private func drop(_ peer: VarlinkPeer) {
        peers.removeAll { $0 === peer }
        peer.close()
    }
}

/// The files of a server in the runtime directory: the lock of the display, and the socket. Its functions may wait for a
/// disk.
private struct ServerFiles: Sendable {
    private(set) var lock: InstanceLock
    private(set) var listener: Descriptor
    /// The file of the socket.
    private var socket: FileIdentity?

    init(_ lock: InstanceLock) throws(SystemError) {
        self.lock = lock
        listener = try lock.directory.listen(at: lock.name)
        socket = FileIdentity(lock.socketPath)
    }

    /// Makes what was removed again. Another process may have taken the lock in the meantime, and the socket, too.
    mutating func renew() throws {
        try lock.renew()
        if FileIdentity(lock.socketPath) != socket { self = try Self(lock) }
    }
}
