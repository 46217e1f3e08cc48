/// Jobs that wait to be started. Those of one lane keep their order; between lanes, the one that has waited longest comes
/// first.
struct JobQueue: Sendable {
    private struct Place {
        let number: Int
        let job: Job
    }

    /// When a job began to wait. Finding the next one must not touch the jobs themselves: there may be thousands.
    private struct Turn {
        let number: Int
        let part: Job.Part
        let lane: Job.Lane
    }

    /// No array in it is empty.
    private var lanes: [Job.Lane: [Place]] = [:]
    /// In the order of their numbers; those of jobs that were removed are still among them.
    private var turns: [Turn] = []
    private var (firstNumber, lastNumber) = (0, 0)
    private(set) var count = 0

    var isEmpty: Bool { lanes.isEmpty }
    /// In no order.
    var jobs: [Job] { lanes.values.joined().map(\.job) }

    mutating func append(_ job: Job) {
        lastNumber += 1
        let lane = job.lane
        lanes[lane, default: []].append(Place(number: lastNumber, job: job))
        turns.append(Turn(number: lastNumber, part: job.part, lane: lane))
        count += 1
    }

    /// Puts a job before all others.
    mutating func prepend(_ job: Job) {
        firstNumber -= 1
        let lane = job.lane
        lanes[lane, default: []].insert(Place(number: firstNumber, job: job), at: 0)
        turns.insert(Turn(number: firstNumber, part: job.part, lane: lane), at: 0)
        count += 1
    }

    /// Whether the same part of the same hook waits for the same subject.
    func contains(_ job: Job) -> Bool {
        lanes[job.lane]?.contains { $0.job.isAgain(job) } ?? false
    }

    /// Removes the same part of the same hook for the same subject.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    mutating func remove(_ job: Job) -> Bool {
        let before = count
        remove(from: job.lane) { $0.isAgain(job) }
        return count < before
    }

    /// Looks at one lane after the other, and first at that whose next job has waited longest.
    mutating func removeAll(where isUnwanted: (Job) -> Bool) {
        let sorted = lanes.sorted { ($0.value.first?.number ?? 0) < ($1.value.first?.number ?? 0) }
        for (lane, _) in sorted { remove(from: lane, where: isUnwanted) }
    }

    /// Takes out the first job of such a part that is the next of its lane, if that lane is free and the job may begin.
    mutating func takeNext(
        of isWanted: (Job.Part) -> Bool, where isFree: (Job.Lane) -> Bool, if mayBegin: (Job) -> Bool
    ) -> Job? {
        if turns.count > 2 * count + 16 { removeStaleTurns() }
        let next = turns.indices.first { index in
            isWanted(turns[index].part) && isNext(turns[index]) && isFree(turns[index].lane)
                && lanes[turns[index].lane]?.first.map { mayBegin($0.job) } ?? false
        }
        guard let next else { return nil }
        let lane = turns.remove(at: next).lane
        let job = lanes[lane]?.removeFirst().job
        if lanes[lane]?.isEmpty ?? false { lanes[lane] = nil }
        count -= 1
        return job
    }

    private func isNext(_ turn: Turn) -> Bool { lanes[turn.lane]?.first?.number == turn.number }

    private mutating func removeStaleTurns() {
        let numbers = Set(lanes.values.joined().map(\.number))
        turns.removeAll { !numbers.contains($0.number) }
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
