import Glibc
import Loop
import PhaseWatch

/// Lines for people, on their way to whoever reads them, who is never waited for.
public final class Log {
    /// What a pipe takes whole and at once when poll(2) says that it has room.
    private static let chunk = Int(PIPE_BUF)
    /// How many bytes wait before further lines are given up.
    private static let bound = 4 << 20
    /// How long the last lines are offered when everything else is over.
    private static let patience = Duration.seconds(1)

    let descriptor: Int32
    private let line: (String) -> [UInt8]
    private let complain: ((String) -> Void)?
    private var waiting: ArraySlice<UInt8> = []
    private var lost = 0
    /// errno, if writing failed. EPIPE does not count: hooks go on without a reader of their output.
    public private(set) var failure: Int32?
    private weak var loop: EventLoop?
    private var isWatched = false

    /// - Parameters:
    ///   - complain: Told of what was lost; the reader is told itself if this is left out.
    ///   - line: How a text is written.
    public init(
        _ descriptor: Int32, complain: ((String) -> Void)? = nil, line: @escaping (String) -> [UInt8]
    ) {
        self.descriptor = descriptor
        self.complain = complain
        self.line = line
    }

    /// Writes on when the loop tells that there is room.
    func join(_ loop: EventLoop) {
        self.loop = loop
        watch()
    }

    public func say(_ text: String) {
        add(text)
        flush()
    }

    /// Passes on what waits, as far as it is taken at once.
    func flush() {
        while !waiting.isEmpty, hasRoom(within: .zero) { writeSome() }
        if waiting.isEmpty && lost > 0 {
            let text = "\(lost) lines more were lost: nobody read them"
            lost = 0
            if let complain { complain(text) } else { add(text) }
        }
        watch()
    }

    /// The last call: offers what waits for a second more.
    func end() {
        let end = Clock.now() + Self.patience
        while !waiting.isEmpty, hasRoom(within: end - Clock.now()) { writeSome() }
    }

    private func add(_ text: String) {
        let bytes = line(text)
        if waiting.count + bytes.count > Self.bound { lost += 1 } else { waiting += bytes }
    }

    private func writeSome() {
        let count = waiting.prefix(Self.chunk).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && errno != EAGAIN && errno != EINTR {
            if errno != EPIPE { failure = errno }
            waiting = []
        }
        waiting = waiting.dropFirst(max(0, count))
    }

    private func hasRoom(within time: Duration) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, Int32(max(0, time.milliseconds))) > 0
    }

    private func watch() {
        guard let loop, isWatched == waiting.isEmpty else { return }
        isWatched.toggle()
        if isWatched { loop.watch(descriptor, for: POLLOUT) } else { loop.forget(descriptor) }
    }
}
