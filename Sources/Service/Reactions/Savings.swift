import Console
import Hooks
import System

/// What applications do not use while reactions hold them: what they used in the minute before, for as long as they are held,
/// less what they use all the same.
struct Savings {
    private struct Held {
        var reactions: [String]
        let start: ProcessUse
        /// In a second, before it was held.
        let rate: ProcessUse.Amount
        var memory = 0
    }

    /// What is measured before a reaction counts as the minute before from this age on, in seconds.
    private static let shortest = 2.0
    private static let minute = 60.0
    private static let mostSamples = 8

    /// By application, when it left a phase: the oldest first.
    private var samples: [String: [ProcessUse]] = [:]
    private var held: [String: Held] = [:]
    private var ended: [Saving] = []

    /// Measures an application that something may be done to soon.
    mutating func measure(_ application: String, _ processes: Set<Int32>) {
        if processes.isEmpty || held[application] != nil { return }
        var all = samples[application] ?? []
        all.append(ProcessUse(of: processes))
        samples[application] = all.suffix(Self.mostSamples)
    }

    /// Forgets one that has closed.
    mutating func forget(_ application: String) { samples[application] = nil }

    /// Follows what is held now.
    ///
    /// - Parameters:
    ///   - reactions: By application; of those alone that spare something.
    ///   - processes: Those of an application.
    mutating func follow(_ reactions: [String: [String]], processes: (String) -> Set<Int32>) {
        for (application, former) in held where reactions[application] != former.reactions {
            end(application, former, processes(application))
        }
        for (application, reactions) in reactions where held[application] == nil {
            let now = ProcessUse(of: processes(application))
            held[application] = Held(
                reactions: reactions, start: now, rate: now.rate(since: reference(application, now)))
        }
    }

    /// Of the measurements, the one that is nearest to a minute ago.
    private func reference(_ application: String, _ now: ProcessUse) -> ProcessUse? {
        func age(_ use: ProcessUse) -> Double { Double((now.time - use.time).milliseconds) / 1000 }
        return samples[application]?.filter { age($0) >= Self.shortest }
            .min { abs(age($0) - Self.minute) < abs(age($1) - Self.minute) }
    }

    /// Takes memory that an application has given back.
    mutating func add(memory bytes: Int, of application: String) { held[application]?.memory += bytes }

    private mutating func end(_ application: String, _ held: Held, _ processes: Set<Int32>) {
        self.held[application] = nil
        samples[application] = nil
        ended.append(saving(application, held, processes))
    }

    private func saving(_ application: String, _ held: Held, _ processes: Set<Int32>) -> Saving {
        let now = ProcessUse(of: processes)
        let time = now.time - held.start.time
        let (wanted, used) = (held.rate * (Double(time.milliseconds) / 1000), now.since(held.start))
        var saving = Saving(application)
        (saving.reactions, saving.held, saving.memory) = (held.reactions, time, held.memory)
        saving.processor = .milliseconds(Int64(max(0, wanted.processor - used.processor) * 1000))
        saving.wakeUps = Int(max(0, wanted.wakeUps - used.wakeUps))
        return saving
    }

    /// What is saved by what is held now, so far.
    func present(of application: String, processes: Set<Int32>) -> Saving? {
        held[application].map { saving(application, $0, processes) }
    }

    /// What has ended since the last call.
    mutating func take() -> [Saving] {
        defer { ended = [] }
        return ended
    }
}
