import Console
import Hooks
import PhaseWatch
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
    private static let interval = Duration.seconds(15)

    /// By application, when it left a phase: the oldest first.
    private var samples: [String: [ProcessUse]] = [:]
    private var held: [String: Held] = [:]
    private var ended: [Saving] = []
    /// Those that a sparing hook is for.
    private var followed: Set<String> = []
    /// When all of them were measured last.
    private var lastRound: Duration?

    /// Measures an application that has left a phase for one that a sparing hook may react to, and forgets a closed one.
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

    /// Measures all that a sparing hook is for, at most every 15 s. Nothing wakes for it: it is called when something
    /// has changed.
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

    /// Follows what is held now.
    ///
    /// - Parameters:
    ///   - holds: By application.
    ///   - processes: Those of an application.
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

    /// Of the measurements, the one that is nearest to a minute ago.
    private func reference(_ application: String, _ now: ProcessUse) -> ProcessUse? {
        func age(_ use: ProcessUse) -> Double { Double((now.time - use.time).milliseconds) / 1000 }
        return samples[application]?.filter { age($0) >= Self.shortest }
            .min { abs(age($0) - Self.minute) < abs(age($1) - Self.minute) }
    }

    /// Takes memory that an application has given back.
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

extension Hold {
    /// The reaction that spares something as long as it holds; nil for others.
    fileprivate var saves: String? {
        switch self {
        case .stopped, .frozen: BuiltIn.freeze.rawValue
        case .slowed: BuiltIn.slow.rawValue
        case .capped: BuiltIn.cap.rawValue
        case .muted: nil
        }
    }
}
