import Dispatch
import Synchronization

/// Threads for tests that mostly wait. The pool that tests share has only one thread for each core.
final class BlockingExecutor: TaskExecutor {
    private struct State {
        var waiting: [UnownedJob] = []
        var running = 0
    }

    private let count: Int
    private let state = Mutex(State())

    init(count: Int) { self.count = count }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock {
            $0.waiting.append(job)
            guard $0.running < count else { return false }
            $0.running += 1
            return true
        }
        if needsThread { DispatchQueue(label: "lane").async { self.drain() } }
    }

    private func drain() {
        while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func next() -> UnownedJob? {
        state.withLock {
            guard $0.waiting.isEmpty else { return $0.waiting.removeFirst() }
            $0.running -= 1
            return nil
        }
    }

    /// Runs a body that blocks its thread as soon as a thread is free.
    func run<Result: Sendable>(_ body: @Sendable @escaping () throws -> Result) async throws -> Result {
        try await withTaskExecutorPreference(self) { try body() }
    }
}
