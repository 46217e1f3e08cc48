import Glibc
import Synchronization

/// A separate thread that runs file operations in sequence, so the loop never waits for a disk. It ends with this object,
/// after all submitted operations. A thread that hangs in the kernel is left behind.
public final class DiskThread<Answer: Sendable> {
    /// Readable once an answer is available.
    public let answers: Descriptor
    private var requests: Descriptor?
    private let queue: DiskQueue<Answer>

    /// - Throws: `SystemError` if no thread can be started.
    public init() throws(SystemError) {
        let (requests, answers) = (try Descriptor.pipe(), try Descriptor.pipe())
        // Makes the read end blocking: the thread only waits for requests.
        _ = fcntl(requests.reading.number, F_SETFL, 0)
        let queue = DiskQueue<Answer>()
        (self.requests, self.answers, self.queue) = (requests.writing, answers.reading, queue)
        // The thread must not hold the other ends: it ends when this object closes them.
        let (input, output) = (requests.reading, answers.writing)
        try DetachedThread.start { queue.run(input, output) }
    }

    public var isBusy: Bool { waiting > 0 }
    /// The number of pending operations and of answers that were not taken.
    public var waiting: Int { queue.state.withLock { $0.waiting } }

    /// - Parameter operation: The operation; it returns nil if it has no answer.
    public func submit(_ operation: @escaping @Sendable () -> Answer?) {
        guard let requests else { return }
        queue.state.withLock {
            $0.operations.append(operation)
            $0.waiting += 1
        }
        write(requests.number, [0], 1)
    }

    /// Waits until all operations have ended, for at most `limit`. Must be the last call.
    public func finish(within limit: Duration) {
        requests = nil
        var end = pollfd(fd: answers.number, events: 0, revents: 0)
        poll(&end, 1, Int32(clamping: limit.milliseconds))
    }

    /// Returns the available answers, in the order of submission. Never blocks.
    public func takeAnswers() -> [Answer] {
        var bytes = [UInt8](repeating: 0, count: 64)
        // Drains the pipe before it takes the answers: a later answer makes the pipe readable again.
        while read(answers.number, &bytes, bytes.count) == bytes.count {}
        return queue.state.withLock { state in
            defer { state.answers = [] }
            state.waiting -= state.answers.count
            return state.answers
        }
    }
}

/// The state shared by the thread and the loop.
private final class DiskQueue<Answer: Sendable>: Sendable {
    struct State {
        var operations: [@Sendable () -> Answer?] = []
        var answers: [Answer] = []
        var waiting = 0
    }

    let state = Mutex(State())

    /// Runs an operation for each byte of `requests`, until its write end is closed.
    func run(_ requests: Descriptor, _ answers: Descriptor) {
        var byte: UInt8 = 0
        while read(requests.number, &byte, 1) == 1 {
            let operation = state.withLock { $0.operations.removeFirst() }
            guard let answer = operation() else {
                state.withLock { $0.waiting -= 1 }
                continue
            }
            state.withLock { $0.answers.append(answer) }
            write(answers.number, &byte, 1)
        }
    }
}
