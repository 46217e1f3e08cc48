import CLinux
import Glibc

/// A connection to a D-Bus server. Nothing waits: its owner polls `descriptor`, and calls `ready` and `expire`.
public final class Bus {
    public typealias Answer = Result<[BusValue], BusError>

    private enum Stage {
        /// The server has not accepted the user yet. What is to be sent waits.
        case greeting
        case open, lost
    }

    /// The largest message that is read whole. Of a larger one, only the header is read.
    private static let mostKept = 1 << 20
    private static let longestGreeting = 4096
    private static let chunk = 64 << 10

    private let socket: Descriptor
    private var stage = Stage.greeting
    private var input: ArraySlice<UInt8> = []
    /// The number of bytes to discard, since their message is too large.
    private var skipped = 0
    private var output: [UInt8] = []
    private var lastSerial: UInt32 = 0
    private var calls: [UInt32: (deadline: Duration, answer: (Answer) -> Void)] = [:]
    /// Receives signals, and all messages once the connection monitors the bus.
    public var received: (BusMessage) -> Void = { _ in }

    /// Connects to a server.
    ///
    /// - Throws: `SystemError` if it does not accept a connection at once.
    public init(_ address: BusAddress) throws(SystemError) {
        let socket = try Descriptor.localSocket(SOCK_STREAM)
        self.socket = socket
        try SystemError.check("fcntl", fcntl(socket.number, F_SETFL, O_NONBLOCK))
        try SystemError.check("connect", withSocketAddress(address.socket) { connect(socket.number, $0, $1) })
        let user = "\(geteuid())".utf8.map { String($0, radix: 16) }.joined()
        // All of the greeting at once: systemd does not handle a message that it reads together with BEGIN.
        send(Array("\0AUTH EXTERNAL \(user)\r\nBEGIN\r\n".utf8))
        if address.isBus { call(.bus("Hello")) { [weak self] in if case .failure = $0 { self?.lose() } } }
    }

    public var descriptor: Int32 { socket.number }

    /// Whether the server has ended the connection, or does not follow the protocol.
    public var isLost: Bool { if case .lost = stage { true } else { false } }

    /// When to call `expire`, in CLOCK_MONOTONIC; nil for never.
    public var next: Duration? { calls.values.map(\.deadline).min() }

    /// Calls a method, and passes on its answer, or why there is none. The signature has the types of the arguments.
    public func call(
        _ method: BusMethod, _ signature: String = "", _ arguments: [BusValue] = [],
        within patience: Duration = .seconds(2), then answer: @escaping (Answer) -> Void
    ) {
        if isLost { return answer(.failure(.disconnected)) }
        lastSerial += 1
        let message = BusMessage(calling: method, signature, arguments, serial: lastSerial)
        calls[lastSerial] = (Clock.now() + patience, answer)
        if case .open = stage { send(message.bytes) } else { output += message.bytes }
    }

    /// Calls a method and waits for its answer: only for processes with nothing else to do.
    public func ask(
        _ method: BusMethod, _ signature: String = "", _ arguments: [BusValue] = [],
        within patience: Duration = .seconds(2)
    ) throws(BusError) -> [BusValue] {
        var answer: Answer?
        call(method, signature, arguments, within: patience) { answer = $0 }
        wait { answer != nil }
        return try (answer ?? .failure(.disconnected)).get()
    }

    /// Serves the connection until it is done, lost, or no answer is awaited any longer.
    public func wait(until isDone: () -> Bool) {
        while !isDone(), !isLost, let next {
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = max(.zero, next - Clock.now())
            _ = poll(&state, 1, Int32(clamping: left.milliseconds + 1))
            if state.revents != 0 { ready() }
            expire(at: Clock.now())
        }
    }

    /// Ends the calls that are not answered in time.
    public func expire(at now: Duration) {
        for serial in calls.filter({ $0.value.deadline <= now }).keys.sorted() {
            // An answer may have lost the connection, which answers the others.
            calls.removeValue(forKey: serial)?.answer(.failure(.noReply))
        }
    }

    private func send(_ bytes: [UInt8]) {
        let count = Glibc.send(socket.number, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        // The socket's buffer holds far more than this program has to say to a server that reads.
        if count != bytes.count { lose() }
    }

    private func lose() {
        (stage, input, output) = (.lost, [], [])
        let former = calls
        calls = [:]
        for call in former.values { call.answer(.failure(.disconnected)) }
    }

    /// Handles what has arrived.
    public func ready() {
        if isLost { return }
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        let count: Int
        do throws(SystemError) {
            count = try SystemError.check(
                "recv", recv(socket.number, &bytes, bytes.count, Int32(MSG_DONTWAIT)))
        } catch {
            return error.code == EAGAIN ? () : lose()
        }
        guard count > 0 else { return lose() }
        let unwanted = min(skipped, count)
        skipped -= unwanted
        input += bytes[unwanted..<count]
        do throws(SystemError) {
            if case .greeting = stage { try greet() }
            while case .open = stage, let message = try takeMessage() { if let message { handle(message) } }
        } catch {
            lose()
        }
    }

    /// Reads the answer to the greeting.
    private func greet() throws(SystemError) {
        guard let end = input.firstIndex(of: UInt8(ascii: "\n")) else {
            if input.count > Self.longestGreeting { throw .refused("its greeting is too long") }
            return
        }
        guard input.starts(with: "OK ".utf8) else { throw .refused("it refuses this user") }
        input = input[(end + 1)...]
        stage = .open
        send(output)
        output = []
    }

    /// Removes and returns the next message; nil if it has not arrived whole, `.some(nil)` if it is not to be handled.
    private func takeMessage() throws(SystemError) -> BusMessage?? {
        guard let (header, whole) = try BusMessage.sizes(input) else { return nil }
        let size = whole > Self.mostKept ? header : whole
        guard input.count >= size else { return nil }
        let message = BusMessage(input.prefix(size), header: header)
        skipped = max(0, whole - input.count)
        // A copy, which frees the bytes before.
        input = ArraySlice(Array(input.dropFirst(whole)))
        return .some(message)
    }

    private func handle(_ message: BusMessage) {
        guard let serial = message.replySerial, message.kind == .answer || message.kind == .error,
            let call = calls.removeValue(forKey: serial)
        else { return received(message) }
        if message.kind == .answer { return call.answer(.success(message.arguments)) }
        let text = message.arguments.first?.text ?? ""
        call.answer(.failure(BusError(name: message.errorName ?? "", text: text)))
    }
}

/// A method of an object on a bus.
public struct BusMethod: Hashable, Sendable {
    /// nil for the only program at the other end.
    public var destination: String?
    public var path, interface, member: String

    public init(_ destination: String?, _ path: String, _ interface: String, _ member: String) {
        (self.destination, self.path, self.interface, self.member) = (destination, path, interface, member)
    }

    /// Returns a method of the bus itself.
    public static func bus(_ member: String, of interface: String = "org.freedesktop.DBus") -> BusMethod {
        BusMethod("org.freedesktop.DBus", "/org/freedesktop/DBus", interface, member)
    }
}

/// The reason why a method has no answer.
public struct BusError: Error, Hashable, CustomStringConvertible {
    /// Such as `org.freedesktop.DBus.Error.ServiceUnknown`.
    public var name: String
    public var text: String

    public init(name: String, text: String) { (self.name, self.text) = (name, text) }

    static let disconnected = BusError(
        name: "org.freedesktop.DBus.Error.Disconnected", text: "the connection has ended")
    static let noReply = BusError(name: "org.freedesktop.DBus.Error.NoReply", text: "it does not answer")

    public var description: String { text.isEmpty ? name : text }
}
