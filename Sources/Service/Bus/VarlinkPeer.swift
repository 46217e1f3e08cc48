import CLinux
import Console
import Glibc
import System

/// A client of the service: its connection, and the call that is being answered. It is answered once, or several times
/// if the client asks for more. The next call is read afterwards.
public final class VarlinkPeer {
    static let mostInput = 1 << 20
    static let patience = Duration.seconds(30)

    /// The process of the client; 0 if it is in another container.
    let pid: Int32
    let descriptor: Int32
    /// nil once the connection is closed, since a handler may keep the peer; also for a oneway call, which has no reply.
    private var connection: Descriptor?
    private let loop: EventLoop?
    /// The events that the loop polls for.
    private var watched: Int32?
    private var input = VarlinkInput()
    private var output: [UInt8] = []
    /// When the client must have finished the message that it sends or reads; nil if there is none.
    private(set) var deadline: Duration?
    private(set) var isAnswering = false
    /// Whether the client expects several replies to the call.
    private(set) var wantsMore = false
    /// Whether the client has closed the connection or its half of it.
    private(set) var isReleased = false

    init(_ connection: Descriptor, loop: EventLoop?) {
        (self.connection, descriptor, self.loop) = (connection, connection.number, loop)
        pid = Descriptor.peer(of: descriptor).pid
    }

    /// Creates the receiver of what is replied to a oneway call.
    init() { (pid, descriptor, loop) = (0, -1, nil) }

    var isOpen: Bool { connection != nil }
    /// The number of bytes that wait for the client to read them.
    var backlog: Int { output.count }
    var isBusy: Bool { isAnswering || backlog > 0 }
    /// Whether the next call has arrived, or none will, now that the last one is answered.
    var isDue: Bool { !isBusy && (input.hasMessage || isReleased) }

    /// Whether the client has closed the connection, not only its half of it.
    var isGone: Bool {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&state, 1, 0) > 0
    }

    // MARK: The connection

    /// Reads what has arrived, without waiting.
    ///
    /// - Returns: false if the connection is broken or a message is too long.
    func read() -> Bool {
        defer { settle() }
        if isReleased || input.count > Self.mostInput { return true }
        guard let isOpen = try? input.receive(from: descriptor) else { return false }
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

    /// Sends what the client accepts without blocking.
    func flush() {
        while !output.isEmpty {
            let taken = send(descriptor, output, output.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            if taken < 0 && errno == EINTR { continue }
            if taken < 0 && errno == EAGAIN { break }
            // The client has gone, which poll(2) reports.
            output.removeFirst(taken > 0 ? taken : output.count)
        }
        settle()
    }

    /// Closes the connection. Further replies are dropped.
    func close() {
        if watched != nil { loop?.forget(descriptor) }
        (connection, output, deadline, isAnswering, isReleased) = (nil, [], nil, false, true)
    }

    /// Updates the deadline, and the events that the loop polls for.
    private func settle() {
        guard isOpen else { return }
        if isAnswering || input.count + output.count == 0 {
            deadline = nil
        } else if deadline == nil {
            deadline = Clock.now() + Self.patience
        }
        var wanted = output.isEmpty ? 0 : Int32(POLLOUT)
        // The end of the input would be reported all the time.
        if !isReleased && input.count <= Self.mostInput { wanted |= Int32(POLLIN) }
        if wanted == watched { return }
        if watched != nil { loop?.forget(descriptor) }
        loop?.watch(descriptor, for: wanted)
        watched = wanted
    }

    // MARK: The call

    func begin(wantsMore: Bool) { (isAnswering, self.wantsMore) = (true, wantsMore) }

    /// - Parameter isLast: Whether no further reply follows.
    func reply(_ parameters: some Encodable, isLast: Bool = true) {
        reply(isLast: isLast) { $0 += parameters.json }
    }

    /// Replies with one parameter.
    func reply(_ name: String, json: [UInt8], isLast: Bool = true) {
        reply(isLast: isLast) { bytes in
            bytes.append("{\"\(name)\":")
            bytes += json
            bytes.append("}")
        }
    }

    private func reply(isLast: Bool, _ append: (inout [UInt8]) -> Void) {
        guard isAnswering else { return }
        output.append("{\"parameters\":")
        append(&output)
        output.append(isLast ? "}\0" : ",\"continues\":true}\0")
        isAnswering = !isLast
        flush()
    }

    func fail(_ error: VarlinkError) {
        guard isAnswering else { return }
        output += error.json + [0]
        isAnswering = false
        flush()
    }
}
