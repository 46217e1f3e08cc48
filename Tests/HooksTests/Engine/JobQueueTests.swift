import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct JobQueueTests {
    private static func job(_ hook: Hook, _ application: String, _ part: Job.Part) -> Job {
        Job(
            hook: hook, part: part,
            trigger: HookTrigger(change: .step(application, from: .active, to: .background), time: .zero))
    }

    /// All that may be in it: three applications, a hook that runs and a pair.
    private static let jobs = ["A", "B", "C"].flatMap { name in
        [
            job(.run("sync"), name, .run), job(.pair("slow"), name, .enter), job(.pair("slow"), name, .leave),
        ]
    }

    /// The same, as slow as can be: jobs in the order in which they are to start.
    private struct Model {
        var jobs: [Job] = []

        mutating func takeNext(of parts: Set<Job.Part>, free: Set<Job.Lane>) -> Job? {
            var seen: Set<Job.Lane> = []
            let index = jobs.indices.first { index in
                let isNext = seen.insert(jobs[index].lane).inserted
                return isNext && parts.contains(jobs[index].part) && free.contains(jobs[index].lane)
            }
            return index.map { jobs.remove(at: $0) }
        }
    }

    @Test(arguments: 1...20) func itGivesWhatTheSlowestOneWouldGive(seed: UInt64) {
        var random = SeededNumbers(state: seed)
        var (queue, model) = (JobQueue(), Model())
        for _ in 1...2000 {
            let job = Self.jobs[Int.random(in: Self.jobs.indices, using: &random)]
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                queue.append(job)
                model.jobs.append(job)
            case 5:
                queue.prepend(job)
                model.jobs.insert(job, at: 0)
            case 6:
                queue.remove(job)
                model.jobs.removeAll { $0 == job }
            default:
                let parts: Set<Job.Part> = Bool.random(using: &random) ? [.run] : [.run, .enter, .leave]
                let free = Set(Self.jobs.map(\.lane).filter { _ in Bool.random(using: &random) })
                let next = queue.takeNext(of: parts.contains, where: free.contains, if: { _ in true })
                #expect(next == model.takeNext(of: parts, free: free))
            }
            #expect(queue.count == model.jobs.count && queue.isEmpty == model.jobs.isEmpty)
        }
    }
}

/// xorshift64: the same numbers for the same seed.
private struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
