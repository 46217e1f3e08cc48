import Glibc
import Synchronization

/// A separate thread that runs file operations in sequence, so the loop never waits for a disk. It ends with this object,
/// after all submitted operations. A thread that hangs in the kernel is left behind.
public final class DiskQueue<Answer: Sendable> {
    /// Readable once an answer is available.
    public let answers: Descriptor
    private let queue: QueueState<Answer>

    /// - Throws: `SystemError` if no thread can be started.
    public init() throws(SystemError) {
        let (reading, writing) = try Descriptor.pipe()
        let queue = QueueState<Answer>()
        answers = reading
        self.queue = queue
        try DetachedThread.start { queue.run(answering: writing) }
    }

    deinit { queue.end() }

    public var isBusy: Bool { waiting > 0 }
    /// The number of pending operations and of answers that were not taken.
    public var waiting: Int { queue.state.withLock { $0.waiting } }

    /// - Parameter operation: The operation; it returns nil if it has no answer.
    public func submit(_ operation: @escaping @Sendable () -> Answer?) {
        queue.submit(operation)
    }

    /// Waits until all operations have ended, for at most `limit`. Must be the last call.
    public func finish(within limit: Duration) {
        queue.end()
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

extension Optional {
    /// Returns the queue, whose thread the first call starts.
    public mutating func begun<Answer>() throws(SystemError) -> DiskQueue<Answer>
    where Wrapped == DiskQueue<Answer> {
        if let self { return self }
        let queue = try DiskQueue<Answer>()
        self = queue
        return queue
    }
}

/// The state shared by the thread and the loop. A semaphore may be used by both.
private final class QueueState<Answer: Sendable>: @unchecked Sendable {
    struct State {
        var operations: [@Sendable () -> Answer?] = []
        var answers: [Answer] = []
        var waiting = 0
        /// Whether no operation follows.
        var isLast = false
    }

    let state = Mutex(State())
    /// Counts the operations, and the end. No call of sem_post(3) can fail, as a write to a pipe may.
    private let requests = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(requests, 0, 0) }

    deinit {
        sem_destroy(requests)
        requests.deallocate()
    }

    func submit(_ operation: @escaping @Sendable () -> Answer?) {
        let isLate = state.withLock { state in
            if state.isLast { return true }
            state.operations.append(operation)
            state.waiting += 1
            return false
        }
        if !isLate { sem_post(requests) }
    }

    /// Ends the thread after the operations that were submitted.
    func end() {
        state.withLock { $0.isLast = true }
        sem_post(requests)
    }

    /// Runs the operations, until the end. For each answer, it writes a byte.
    func run(answering answers: Descriptor) {
        while true {
            // Interrupted by a signal, it returns too early.
            if sem_wait(requests) != 0 { continue }
            let operation = state.withLock { $0.operations.isEmpty ? nil : $0.operations.removeFirst() }
            guard let operation else { return }
            guard let answer = operation() else {
                state.withLock { $0.waiting -= 1 }
                continue
            }
            state.withLock { $0.answers.append(answer) }
            write(answers.number, [0], 1)
        }
    }
}
