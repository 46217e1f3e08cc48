import Synchronization

/// Operations that may wait for a disk, each on a thread of its own: one whose disk does not answer holds up no other.
public final class SeparateThreads: Sendable {
    private let most: Int
    private let count = Mutex(0)

    /// - Parameter most: The number of threads that may wait at a time.
    public init(most: Int = 64) { self.most = most }

    /// Starts an operation.
    ///
    /// - Throws: `SystemError` if too many have not ended, or if no thread can be started.
    public func run(_ operation: sending @escaping () -> Void) throws(SystemError) {
        let isFree = count.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
        guard isFree else { throw .noAnswer }
        do throws(SystemError) {
            try DetachedThread.start { [self] in
                operation()
                count.withLock { $0 -= 1 }
            }
        } catch {
            count.withLock { $0 -= 1 }
            throw error
        }
    }
}
