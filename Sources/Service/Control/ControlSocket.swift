import CLinux
import Console
import Glibc
import Hooks
import System

/// Takes requests from commands of the same user, in the loop of the watch. No peer is waited for: each has a deadline, sends
/// at most so much, and is sent away when many others come.
public final class ControlSocket {
    static let mostPeers = 8
    /// Of those that keep a hook.
    static let mostHolders = 256
    static let mostInput = 64 << 10
    static let patience = Duration.seconds(5)
    /// How long nobody is let in when there are no more descriptors.
    private static let rest = Duration.seconds(1)

    private struct Peer {
        let connection: Descriptor
        let deadline: Duration
        var input: [UInt8] = []
        /// nil until there is an answer.
        var output: ArraySlice<UInt8>?
        /// It keeps a hook, and is there until it goes away.
        var isHolding = false
        /// Its answer comes later.
        var isWaiting = false

        /// It has closed the connection.
        var hasGone: Bool {
            var state = pollfd(fd: connection.number, events: 0, revents: 0)
            return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLHUP) != 0
        }
    }

    private let directory: OwnDirectory
    private let name: SystemString
    /// What is paused by requests.
    let pauses: PausesFile
    private let listener: Descriptor
    /// The oldest one first.
    private var peers: [Peer] = []
    private var restEnd: Duration?
    /// Those that have kept a hook and want nothing any longer.
    private var released: [Int32] = []
    private var loop: EventLoop?

    /// To be made by whoever holds the lock of that display: what another one has left behind is replaced.
    ///
    /// - Parameters:
    ///   - display: The name it was opened by; the screen does not count.
    ///   - environment: XDG_RUNTIME_DIR says where the socket lies.
    public init(display: String, environment: Environment) throws(SystemError) {
        directory = try OwnDirectory.runtime(environment)
        name = Self.name(display)
        pauses = PausesFile(in: directory, display: display)
        try directory.remove(name)
        listener = try Descriptor(
            "socket", linux_listen(directory.shortPath(of: name).cString), path: directory.path(of: name))
    }

    static func name(_ display: String) -> SystemString { "\(DisplayFileName(display)).socket" }

    func join(_ loop: EventLoop) {
        self.loop = loop
        loop.watch(listener.number)
    }

    /// When to call `expire`.
    var next: Duration? {
        [peers.first { !$0.isHolding }?.deadline, restEnd].compactMap(\.self).min()
    }

    /// Handles a descriptor that is ready; false if it is not ours.
    ///
    /// - Parameter answer: Gets the number of the connection, too; returns nil for an answer that comes later.
    func ready(
        _ descriptor: Int32, at now: Duration, _ answer: (ControlRequest, Int32) -> ControlAnswer?
    ) -> Bool {
        if descriptor == listener.number {
            admit(at: now, answer)
            return true
        }
        guard let index = peers.firstIndex(where: { $0.connection.number == descriptor }) else {
            return false
        }
        serve(index, answer)
        return true
    }

    /// Sends those away whose time is over.
    func expire(at now: Duration) {
        while let index = peers.firstIndex(where: { !$0.isHolding && $0.deadline <= now }) { drop(index) }
        if let restEnd, restEnd <= now {
            self.restEnd = nil
            loop?.watch(listener.number)
        }
    }

    /// Lets nobody in any longer. The last call.
    func close() {
        // First, so that whoever connects again finds nobody.
        try? directory.remove(name)
        shutdown(listener.number, Int32(SHUT_RDWR))
        loop?.forget(listener.number)
        while !peers.isEmpty { drop(0) }
        try? pauses.write(Pauses())
    }

    /// Sends a line to one that keeps a hook. Where it does not read, the line is lost.
    func tell(_ line: String, _ descriptor: Int32) {
        let bytes = Array("\(line.escapedForTerminal)\n".utf8)
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }

    /// Those that no longer keep their hook. Each is to be dismissed once that has been left.
    func takeReleased() -> [Int32] {
        defer { released = [] }
        return released
    }

    /// Sends an answer that has come later, unless its peer has gone.
    func respond(_ answer: ControlAnswer, to descriptor: Int32) {
        guard let index = peers.firstIndex(where: { $0.connection.number == descriptor && $0.isWaiting })
        else { return }
        respond(answer, index)
    }

    func dismiss(_ descriptor: Int32) {
        if let index = peers.firstIndex(where: { $0.connection.number == descriptor }) { drop(index) }
    }

    private func admit(at now: Duration, _ answer: (ControlRequest, Int32) -> ControlAnswer?) {
        let connection: Descriptor
        do {
            connection = try Descriptor("accept", linux_accept(listener.number))
        } catch {
            guard [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(error.code) else { return }
            // poll(2) would call it readable all the time.
            loop?.forget(listener.number)
            restEnd = now + Self.rest
            return
        }
        let passing = peers.indices.filter { !peers[$0].isHolding }
        if passing.count >= Self.mostPeers { drop(passing[0]) }
        peers.append(Peer(connection: connection, deadline: now + Self.patience))
        loop?.watch(connection.number)
        // Most have sent their line already.
        serve(peers.count - 1, answer)
    }

    private func serve(_ index: Int, _ answer: (ControlRequest, Int32) -> ControlAnswer?) {
        if peers[index].isHolding {
            release(index)
        } else if peers[index].output == nil {
            read(index, answer)
        } else {
            write(index)
        }
    }

    /// One that keeps a hook says nothing more until it goes away.
    private func release(_ index: Int) {
        let connection = peers[index].connection.number
        var byte: UInt8 = 0
        if recv(connection, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && (errno == EAGAIN || errno == EINTR) {
            return
        }
        loop?.forget(connection)
        released.append(connection)
    }

    private func read(_ index: Int, _ answer: (ControlRequest, Int32) -> ControlAnswer?) {
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(peers[index].connection.number, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
        guard count > 0, !peers[index].isWaiting else { return drop(index) }
        peers[index].input += chunk[..<count]
        let connection = peers[index].connection.number
        var peer = peers[index]
        let text = answered(&peer, answer)
        (peers[index].isHolding, peers[index].isWaiting) = (peer.isHolding, peer.isWaiting)
        guard let text else { return }
        if peer.isHolding {
            let bytes = ControlLine(text).bytes
            _ = send(connection, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            return
        }
        respond(text, index)
    }

    private func respond(_ answer: ControlAnswer, _ index: Int) {
        let connection = peers[index].connection.number
        peers[index].input = []
        peers[index].output = ControlLine(answer).bytes[...]
        loop?.forget(connection)
        loop?.watch(connection, for: POLLOUT)
        write(index)
    }

    /// nil while the line has not come to its end, or the answer comes later.
    private func answered(
        _ peer: inout Peer, _ answer: (ControlRequest, Int32) -> ControlAnswer?
    ) -> ControlAnswer? {
        guard let end = peer.input.firstIndex(of: UInt8(ascii: "\n")) else {
            return peer.input.count > Self.mostInput
                ? ControlAnswer(fault: "a request has at most \(Self.mostInput) bytes") : nil
        }
        do throws(ServiceError) {
            let request = try ControlLine<ControlRequest>(peer.input[..<end]).message
            // Whoever was told that nobody answers does not expect it to be done later.
            if request.isAwaited && peer.hasGone { return ControlAnswer() }
            if case .hold = request, peers.count(where: \.isHolding) >= Self.mostHolders {
                return ControlAnswer(fault: "\(Self.mostHolders) commands freeze here already")
            }
            let answer = answer(request, peer.connection.number)
            peer.isWaiting = answer == nil
            if case .hold = request { peer.isHolding = answer?.fault == nil }
            return answer
        } catch {
            return ControlAnswer(fault: error.description)
        }
    }

    private func write(_ index: Int) {
        let connection = peers[index].connection.number
        while let output = peers[index].output, !output.isEmpty {
            let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
            let count = output.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, flags) }
            if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
            guard count > 0 else { break }
            peers[index].output = output.dropFirst(count)
        }
        drop(index)
    }

    private func drop(_ index: Int) {
        loop?.forget(peers[index].connection.number)
        peers.remove(at: index)
    }
}
