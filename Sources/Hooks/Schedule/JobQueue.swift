/// Jobs that wait to be started. Those of one lane keep their order; between lanes, the one that has waited longest comes
/// first.
struct JobQueue: Sendable {
    private struct Place {
        let number: Int
        let job: Job
    }

    /// No array in it is empty.
    private var lanes: [Job.Lane: [Place]] = [:]
    private var lastNumber = 0
    private(set) var count = 0

    var isEmpty: Bool { lanes.isEmpty }

    mutating func append(_ job: Job) {
        lastNumber += 1
        lanes[job.lane, default: []].append(Place(number: lastNumber, job: job))
        count += 1
    }

    /// Puts a job before all others of its lane.
    mutating func prepend(_ job: Job) {
        lastNumber += 1
        lanes[job.lane, default: []].insert(Place(number: lastNumber, job: job), at: 0)
        count += 1
    }

    /// Whether the same part of the same hook waits for the same subject.
    func contains(_ job: Job) -> Bool {
        lanes[job.lane]?.contains { $0.job.isAgain(job) } ?? false
    }

    /// Removes the same part of the same hook for the same subject.
    mutating func remove(_ job: Job) {
        remove(from: job.lane) { $0.isAgain(job) }
    }

    mutating func removeAll(where isUnwanted: (Job) -> Bool) {
        for lane in Array(lanes.keys) { remove(from: lane, where: isUnwanted) }
    }

    /// Takes out the first job that may start, of those that are the next of their lanes.
    mutating func takeNext(where mayStart: (Job) -> Bool) -> Job? {
        let next = lanes.values.compactMap(\.first).filter { mayStart($0.job) }.min { $0.number < $1.number }
        guard let next else { return nil }
        let lane = next.job.lane
        lanes[lane]?.removeFirst()
        if lanes[lane]?.isEmpty ?? false { lanes[lane] = nil }
        count -= 1
        return next.job
    }

    private mutating func remove(from lane: Job.Lane, where isUnwanted: (Job) -> Bool) {
        guard let places = lanes[lane] else { return }
        let kept = places.filter { !isUnwanted($0.job) }
        count -= places.count - kept.count
        lanes[lane] = kept.isEmpty ? nil : kept
    }
}

extension Job {
    fileprivate func isAgain(_ other: Job) -> Bool { key == other.key && part == other.part }
}
