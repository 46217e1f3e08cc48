import Console
import Hooks
import PhaseWatch
import System

/// An estimate of the resources that reactions save: an application's rate of use in the minute before a hold, times
/// the duration of the hold, less its use while it is held.
struct Savings {
    private struct Held {
        var reactions: [String]
        let start: ProcessUse
        /// The use per second before the hold.
        let rate: ProcessUse.Amount
        var memory = 0
    }

    /// The minimum age, in seconds, of a sample that serves to compute the rate.
    private static let shortest = 2.0
    private static let minute = 60.0
    private static let mostSamples = 8
    private static let interval = Duration.seconds(15)

    /// By application, the oldest first.
    private var samples: [String: [ProcessUse]] = [:]
    private var held: [String: Held] = [:]
    private var ended: [Saving] = []
    /// The applications that a hook with a saving reaction matches.
    private var followed: Set<String> = []
    /// The time at which all of them were last measured.
    private var lastRound: Duration?

    /// Measures an application that enters a lower phase if a hook with a saving reaction matches it. Forgets a closed
    /// application.
    mutating func note(_ change: Change, _ hooks: [Hook], processes: (String) -> Set<Int32>) {
        guard change.level == .application else { return }
        guard let to = change.to else {
            samples[change.application] = nil
            followed.remove(change.application)
            return
        }
        let isMeant = hooks.contains {
            !$0.builtIns.isDisjoint(with: Self.sparing) && $0.condition.criteria.matches(change)
        }
        if !isMeant { return }
        followed.insert(change.application)
        if let from = change.from, to < from { measure(change.application, processes(change.application)) }
    }

    /// Measures all followed applications, at most every 15 s. No timer wakes for it: it is called after changes.
    mutating func measureAll(processes: (String) -> Set<Int32>) {
        let now = Clock.now()
        if followed.isEmpty || now < lastRound.map({ $0 + Self.interval }) ?? .zero { return }
        lastRound = now
        for application in followed { measure(application, processes(application)) }
    }

    private static let sparing: Set<BuiltIn> = [.freeze, .slow, .idle, .cap]

    mutating func measure(_ application: String, _ processes: Set<Int32>) {
        if processes.isEmpty || held[application] != nil { return }
        samples[application] = ((samples[application] ?? []) + [ProcessUse(of: processes)]).suffix(
            Self.mostSamples)
    }

    /// Updates the savings to the current holds.
    ///
    /// - Parameters:
    ///   - holds: The holds, by application.
    ///   - processes: Returns the processes of an application.
    mutating func follow(_ holds: [String: [Hold]], processes: (String) -> Set<Int32>) {
        if holds.isEmpty && held.isEmpty { return }
        let reactions = holds.mapValues { Set($0.compactMap(\.saves)).sorted() }.filter { !$0.value.isEmpty }
        for (application, former) in held where reactions[application] != former.reactions {
            end(application, former, processes(application))
        }
        for (application, reactions) in reactions where held[application] == nil {
            let now = ProcessUse(of: processes(application))
            held[application] = Held(
                reactions: reactions, start: now, rate: now.rate(since: reference(application, now)))
        }
    }

    /// Returns the sample whose age is nearest to a minute; nil if none is old enough.
    private func reference(_ application: String, _ now: ProcessUse) -> ProcessUse? {
        func age(_ use: ProcessUse) -> Double { Double((now.time - use.time).milliseconds) / 1000 }
        return samples[application]?.filter { age($0) >= Self.shortest }
            .min { abs(age($0) - Self.minute) < abs(age($1) - Self.minute) }
    }

    /// Adds memory that was reclaimed from an application.
    mutating func add(memory bytes: Int, of application: String) {
        if held[application] != nil {
            held[application]?.memory += bytes
        } else {
            var saving = Saving(application)
            (saving.reactions, saving.memory) = ([BuiltIn.reclaim.rawValue], bytes)
            ended.append(saving)
        }
    }

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

    /// Returns the savings of the current holds of an application so far; nil if it is not held.
    func present(of application: String, processes: Set<Int32>) -> Saving? {
        held[application].map { saving(application, $0, processes) }
    }

    /// Returns the savings of holds that have ended since the last call.
    mutating func take() -> [Saving] {
        defer { ended = [] }
        return ended
    }
}

extension Hold {
    /// The reaction that saves resources while the hold lasts; nil for others.
    fileprivate var saves: String? {
        switch self {
        case .stopped, .frozen: BuiltIn.freeze.rawValue
        case .slowed: BuiltIn.slow.rawValue
        case .capped: BuiltIn.cap.rawValue
        case .muted: nil
        }
    }
}
