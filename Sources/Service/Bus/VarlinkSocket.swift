import CLinux
import Console
import Glibc
import System

/// A Varlink (https://varlink.org) server for programs of the same user, in the loop of the watch. It never waits for a
/// client: each has a deadline for its message and a limit of unread bytes.
public final class VarlinkSocket: LoopPart {
    static let mostPeers = 256
    static let mostInput = 1 << 20
    static let patience = Duration.seconds(30)
    /// The pause in accepting connections when the process has no descriptor left.
    private static let rest = Duration.seconds(1)

    private final class Peer {
        let output: VarlinkOutput
        /// Greater than the number of every earlier client.
        let number: Int
        var input: ArraySlice<UInt8> = []
        /// Whether the input may contain a whole message.
        var hasMessage = false
        /// The call that is being answered. The next call is read afterwards.
        var call: VarlinkCall?
        /// The events that the loop polls for.
        var events: Int32?

        init(_ connection: Descriptor, _ number: Int) {
            (output, self.number) = (VarlinkOutput(connection), number)
        }

        var descriptor: Int32 { output.connection.number }

        var isBusy: Bool { call != nil || output.count > 0 }

        var wantedEvents: Int32 {
            let writing = output.count > 0 ? Int32(POLLOUT) : 0
            guard let call else { return writing == 0 ? Int32(POLLIN) : writing }
            return call.isReleased ? writing : writing | PeerEvent.finished
        }

        func has(_ event: Int32) -> Bool {
            var state = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            return poll(&state, 1, 0) > 0 && Int32(state.revents) & event != 0
        }
    }

    /// Events of a client that poll(2) reports.
    private enum PeerEvent {
        /// The client has closed its half of the connection.
        static let finished = Int32(0x2000)
        /// The client has closed the connection.
        static let gone = Int32(POLLHUP)
    }

    private let directory: OwnDirectory
    private let name: SystemString
    private let listener: Descriptor
    private let interfaces: [String: any VarlinkInterface]
    private var peers: [Int32: Peer] = [:]
    /// The deadlines of clients that have begun to send or read a message.
    private var deadlines: [Int32: Duration] = [:]
    /// Clients whose call was answered after its dispatch. Their input may contain further calls.
    private var answered: [Peer] = []
    private var dispatching: Peer?
    private var count = 0
    private lazy var chunk = [UInt8](repeating: 0, count: 16 << 10)
    private var restEnd: Duration?
    private var loop: EventLoop?

    /// Creates the socket. The caller must hold the lock of the display: a stale socket is replaced.
    ///
    /// - Parameters:
    ///   - display: The name of the display; the screen number is ignored.
    ///   - environment: XDG_RUNTIME_DIR locates the socket.
    public init(
        display: String, environment: Environment, _ interfaces: [any VarlinkInterface]
    ) throws(SystemError) {
        directory = try OwnDirectory.runtime(environment)
        name = Self.name(display)
        try directory.remove(name)
        do throws(SystemError) {
            listener = try .listening(at: directory.shortPath(of: name))
        } catch {
            throw .failed(path: directory.path(of: name), error)
        }
        let all = [VarlinkService(interfaces.map { type(of: $0) })] + interfaces
        self.interfaces = Dictionary(uniqueKeysWithValues: all.map { (type(of: $0).name, $0) })
    }

    static func name(_ display: String) -> SystemString { "\(DisplayFileName(display))" }

    public func join(_ loop: EventLoop) {
        self.loop = loop
        loop.watch(listener.number)
    }

    public var next: Duration? {
        if !answered.isEmpty { return .zero }
        return deadlines.isEmpty ? restEnd : (deadlines.values + [restEnd].compactMap(\.self)).min()
    }

    public func ready(_ descriptor: Int32) {
        if descriptor == listener.number {
            admit()
        } else if let peer = peers[descriptor] {
            serve(peer)
        }
    }

    public func wake() {
        let peers = answered
        answered = []
        for peer in peers { serve(peer) }
        let now = Clock.now()
        for (number, end) in deadlines where end <= now { self.peers[number].map(drop) }
        if let restEnd, restEnd <= now {
            self.restEnd = nil
            loop?.watch(listener.number)
        }
    }

    /// Stops listening and drops every client. Must be the last call.
    public func close() {
        // First, so that no client can connect again.
        try? directory.remove(name)
        shutdown(listener.number, Int32(SHUT_RDWR))
        loop?.forget(listener.number)
        for peer in peers.values { drop(peer) }
    }

    private func admit() {
        let connection: Descriptor
        do {
            connection = try listener.accept()
        } catch {
            guard [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(error.code) else { return }
            // poll(2) would report the listener as readable all the time.
            loop?.forget(listener.number)
            restEnd = Clock.now() + Self.rest
            return
        }
        count += 1
        let peer = Peer(connection, count)
        if peers.count >= Self.mostPeers {
            let idle = peers.values.filter { !$0.isBusy || $0.has(PeerEvent.gone) }
            if let oldest = idle.min(by: { $0.number < $1.number }) { drop(oldest) }
        }
        guard peers.count < Self.mostPeers else {
            let refusal = VarlinkError(error: "org.xphase.Phases.TooManyConnections", parameters: [:])
            peer.output.bytes += refusal.json + [0]
            return peer.output.flush()
        }
        peer.output.blocked = { [weak self, weak peer] in if let peer { self?.settle(peer) } }
        peers[peer.descriptor] = peer
        // Most clients have already sent their call.
        serve(peer)
    }

    /// Serves a client as far as possible without waiting.
    private func serve(_ peer: Peer) {
        guard peers[peer.descriptor] === peer else { return }
        if peer.output.count > 0 {
            peer.output.flush(isRoomy: true)
            if peer.output.count == 0 { peer.call?.changed() }
        }
        if peer.isBusy && peer.has(PeerEvent.gone) { return drop(peer) }
        if !peer.isBusy {
            if !peer.hasMessage { read(peer) }
            answer(peer)
        }
        if let call = peer.call, !call.isReleased, peer.has(PeerEvent.finished) {
            call.isReleased = true
            call.changed()
        }
        settle(peer)
    }

    private func read(_ peer: Peer) {
        let count = recv(peer.descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
        guard count > 0 else { return drop(peer) }
        peer.input += chunk[..<count]
        peer.hasMessage = chunk[..<count].contains(0)
        if !peer.hasMessage && peer.input.count > Self.mostInput { drop(peer) }
    }

    /// Answers the complete calls, until one is answered later or its reply is not read.
    private func answer(_ peer: Peer) {
        while peer.hasMessage && !peer.isBusy {
            guard let end = peer.input.firstIndex(of: 0) else {
                peer.hasMessage = false
                return
            }
            guard let call = VarlinkCall(peer.input[..<end]) else { return drop(peer) }
            peer.input = end + 1 == peer.input.endIndex ? [] : peer.input[(end + 1)...]
            deadlines[peer.descriptor] = nil
            // Do not perform a call that its client has given up.
            if !call.isOneway && peer.has(PeerEvent.gone) { return drop(peer) }
            dispatch(call, of: peer)
        }
    }

    private func dispatch(_ call: VarlinkCall, of peer: Peer) {
        if !call.isOneway {
            peer.call = call
            call.pid = Descriptor.peer(of: peer.descriptor).pid
            call.output = peer.output
            call.ended = { [weak self, weak peer] in if let peer { self?.ended(peer) } }
        }
        dispatching = peer
        defer { dispatching = nil }
        do throws(VarlinkError) {
            guard let interface = interfaces[call.interface] else {
                throw .interfaceNotFound(call.interface)
            }
            try interface.handle(call)
        } catch {
            call.fail(error)
        }
    }

    private func ended(_ peer: Peer) {
        peer.call = nil
        if dispatching !== peer { answered.append(peer) }
    }

    /// Updates the deadline of a client, and the events that the loop polls for.
    private func settle(_ peer: Peer) {
        let number = peer.descriptor
        guard peers[number] === peer else { return }
        if peer.call != nil || peer.input.isEmpty && peer.output.count == 0 {
            deadlines[number] = nil
        } else if deadlines[number] == nil {
            deadlines[number] = Clock.now() + Self.patience
        }
        guard peer.events != peer.wantedEvents else { return }
        if peer.events != nil { loop?.forget(number) }
        loop?.watch(number, for: peer.wantedEvents)
        peer.events = peer.wantedEvents
    }

    private func drop(_ peer: Peer) {
        let number = peer.descriptor
        guard peers[number] === peer else { return }
        (peers[number], deadlines[number]) = (nil, nil)
        loop?.forget(number)
        peer.call?.close()
        peer.call = nil
    }
}
