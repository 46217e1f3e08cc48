import Synchronization
import System

/// Readings of processes that may not answer, each on a thread of its own: the root of a sandbox may be on any disk, and
/// the memory of a process, such as its arguments, cannot be read while the process waits for the disk of a file in it.
final class ProcessReadings {
    /// The interval of looking whether a reading has ended.
    private static let interval = Duration.milliseconds(2)

    private let buses: Buses
    private let threads: SeparateThreads
    /// Processes that have not answered in time, each with a function that returns whether it has since. They are not
    /// read again until then, so that each leaves behind one thread.
    private var late: [ProcessIdentity: () -> Bool] = [:]

    init(_ buses: Buses, threads: SeparateThreads = SeparateThreads(most: 4)) {
        self.buses = buses
        self.threads = threads
    }

    /// Reads a value of each process, and passes on the values of those that answer in time.
    func read<Value: Sendable>(
        _ processes: Set<ProcessIdentity>, within limit: Duration,
        _ value: @escaping @Sendable (ProcessIdentity) -> Value,
        then: @escaping ([ProcessIdentity: Value]) -> Void
    ) {
        late = late.filter { _, hasAnswered in !hasAnswered() }
        let reading = Reading(processes.subtracting(late.keys), value)
        // Without a free thread, some processes have not answered for long.
        guard !reading.processes.isEmpty, (try? threads.run { reading.run() }) != nil else {
            return then([:])
        }
        wait(for: reading, until: Clock.now() + limit, then)
    }

    private func wait<Value: Sendable>(
        for reading: Reading<Value>, until end: Duration, _ then: @escaping ([ProcessIdentity: Value]) -> Void
    ) {
        let values = reading.values.withLock(\.self)
        if values.count == reading.processes.count { return then(values) }
        if Clock.now() < end {
            return buses.wait(Self.interval) { [self] in wait(for: reading, until: end, then) }
        }
        let process = reading.processes[values.count]
        late[process] = { reading.values.withLock { $0[process] != nil } }
        then(values)
    }

    /// The values that a thread reads one after the other, and the loop takes.
    private final class Reading<Value: Sendable>: Sendable {
        let processes: [ProcessIdentity]
        let values = Mutex<[ProcessIdentity: Value]>([:])
        private let value: @Sendable (ProcessIdentity) -> Value

        init(_ processes: Set<ProcessIdentity>, _ value: @escaping @Sendable (ProcessIdentity) -> Value) {
            self.processes = Array(processes)
            self.value = value
        }

        func run() {
            for process in processes {
                let value = value(process)
                values.withLock { $0[process] = value }
            }
        }
    }
}
