import CLinux
import Glibc
import System

/// A client of the service: its connection, and the call that is being answered. The next call is read afterwards.
final class VarlinkPeer {
    static let mostInput = 1 << 20
    static let patience = Duration.seconds(30)

    let connection: Descriptor
    /// The process of the client; 0 if it is in another container.
    let pid: Int32
    private let loop: EventLoop?
    private var input = VarlinkInput()
    private var output: [UInt8] = []
    /// The call that is being answered.
    var call: VarlinkCall? { didSet { settle() } }
    /// When the client must have finished the message that it sends or reads; nil if there is none.
    private(set) var deadline: Duration?
    /// Whether the client has closed the connection or its half of it.
    private(set) var isReleased = false

    init(_ connection: Descriptor, loop: EventLoop?) {
        (self.connection, self.loop) = (connection, loop)
        pid = Descriptor.peer(of: connection.number).pid
    }

    /// The number of bytes that wait for the client to read them.
    var backlog: Int { output.count }
    var isBusy: Bool { call != nil || backlog > 0 }
    /// Whether the next call has arrived, or none will, now that the last one is answered.
    private var isDue: Bool { !isBusy && (input.hasMessage || isReleased) }

    /// Whether the client has closed the connection, not only its half of it.
    var isGone: Bool {
        var state = pollfd(fd: connection.number, events: 0, revents: 0)
        return poll(&state, 1, 0) > 0
    }

    /// Reads what has arrived, without waiting.
    ///
    /// - Returns: false if the connection is broken or a message is too long.
    func read() -> Bool {
        defer { settle() }
        if isReleased || input.count > Self.mostInput { return true }
        guard let isOpen = try? input.receive(from: connection) else { return false }
        isReleased = !isOpen
        return input.hasMessage || input.count <= Self.mostInput
    }

    /// Removes and returns the next message that has arrived; nil while a call is answered or a reply is not read.
    func nextMessage() -> ArraySlice<UInt8>? {
        guard !isBusy, let message = input.next() else { return nil }
        deadline = nil
        settle()
        return message
    }

    func send(_ bytes: [UInt8]) {
        output += bytes
        flush()
    }

    /// Sends what the client accepts without blocking.
    func flush() {
        while !output.isEmpty {
            let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
            do throws(SystemError) {
                let taken = try SystemError.check(
                    "send", Glibc.send(connection.number, output, output.count, flags))
                output.removeFirst(taken)
            } catch {
                if error.code == EAGAIN { break }
                // The client has gone, which poll(2) reports.
                output = []
            }
        }
        settle()
    }

    /// Ends the call and the use of the connection, which is closed with the peer.
    func close() {
        call?.end()
        loop?.forget(connection.number)
    }

    /// Updates the deadline, and the events that the loop polls for.
    private func settle() {
        if call != nil || !isReleased && input.count + output.count == 0 {
            deadline = nil
        } else if deadline == nil {
            deadline = Clock.now() + Self.patience
        }
        // Also for a call that has arrived already, as soon as the last one is answered: there is room then.
        var wanted = isDue || backlog > 0 ? Int32(POLLOUT) : 0
        // The end of the input would be reported all the time.
        if !isReleased && input.count <= Self.mostInput { wanted |= Int32(POLLIN) }
        loop?.setEvents(wanted, of: connection.number)
    }
}
