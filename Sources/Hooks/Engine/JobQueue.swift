/// The jobs that wait to be started, oldest first. Jobs of one lane keep their order.
struct JobQueue: Sendable {
    private var places: [(lane: Job.Lane, job: Job)] = []

    var isEmpty: Bool { places.isEmpty }
    var count: Int { places.count }
    var jobs: [Job] { places.map(\.job) }

    mutating func append(_ job: Job) { places.append((job.lane, job)) }

    /// Puts a job before all others.
    mutating func prepend(_ job: Job) { places.insert((job.lane, job), at: 0) }

    /// Returns whether the same part of the same hook waits for the same subject.
    func contains(_ job: Job) -> Bool { places.contains { $0.job.isAgain(job) } }

    /// Removes the same part of the same hook for the same subject.
    ///
    /// - Returns: Whether any job was removed.
    @discardableResult
    mutating func remove(_ job: Job) -> Bool {
        let before = count
        removeAll { $0.isAgain(job) }
        return count < before
    }

    mutating func removeAll(where isUnwanted: (Job) -> Bool) {
        places.removeAll { isUnwanted($0.job) }
    }

    /// Removes and returns the first job of a wanted part that is next in its lane, if the lane is free and the job may
    /// begin.
    mutating func takeNext(
        of isWanted: (Job.Part) -> Bool, where isFree: (Job.Lane) -> Bool, if mayBegin: (Job) -> Bool
    ) -> Job? {
        var seen: Set<Job.Lane> = []
        let next = places.indices.first { index in
            let (lane, job) = places[index]
            return (count == 1 || seen.insert(lane).inserted) && isWanted(job.part) && isFree(lane)
                && mayBegin(job)
        }
        return next.map { places.remove(at: $0).job }
    }
}

extension Job {
    fileprivate func isAgain(_ other: Job) -> Bool { key == other.key && part == other.part }
}
