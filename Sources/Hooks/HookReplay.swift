import Console
import PhaseWatch
import System

/// Tells what hooks would have done about changes that were recorded. Nothing runs: each program is taken to end well at once,
/// and what is asked before to say nothing against it.
public struct HookReplay {
    /// What would have become of a hook.
    public struct Line: Sendable {
        public let time: Timestamp
        /// For people.
        public let text: String
        /// nil where something is only asked.
        public let event: HookEvent?
    }

    private let loaded: LoadedHooks
    private var schedule: Schedule
    private var history = HookHistory()
    private var lines: [Line] = []

    public init(_ loaded: LoadedHooks) {
        self.loaded = loaded
        schedule = Schedule(hooks: loaded.hooks)
    }

    /// The details of scenes that the hooks need.
    public var details: PhaseWatcher.Details { loaded.details }

    /// How what is seen becomes phases, as their configuration says.
    public var settings: WatchSettings { loaded.configuration.watch }

    /// What a recording does not tell, and how the hooks that depend on it are taken.
    ///
    /// - Parameter hasTitles: Titles are in it.
    public func lacks(hasTitles: Bool) -> [String] {
        let powered = loaded.hooks.filter { $0.power != nil }.map(\.name)
        let titled = hasTitles ? [] : loaded.hooks.filter(\.followsTitles).map(\.name)
        return [
            powered.isEmpty
                ? nil
                : "the power supply is not in a recording: these react as if theirs was in use: "
                    + powered.joined(separator: ", "),
            titled.isEmpty
                ? nil
                : "titles are not in this recording (record --titles): nothing matches for "
                    + titled.joined(separator: ", "),
        ].compactMap(\.self)
    }

    /// Goes on to a moment.
    ///
    /// - Parameters:
    ///   - moment: By a clock that never runs backwards.
    ///   - time: The same by the calendar.
    /// - Returns: What the hooks would have done until then, in its order.
    public mutating func advance(to moment: Duration, _ time: Timestamp) -> [Line] {
        defer { lines = [] }
        while let due = schedule.next, due <= moment {
            schedule.advance(at: due)
            perform(at: due, time - (moment - due))
        }
        return lines
    }

    /// Takes what became certain at a moment, to which `advance` has gone on.
    ///
    /// - Parameters:
    ///   - numbers: The number of each event's line; nil where it is none.
    ///   - moment: By a clock that never runs backwards.
    ///   - time: The same by the calendar.
    /// - Returns: What the hooks would have done about it at once.
    public mutating func take(
        _ events: ChangeBatch, numbers: [Int?], at moment: Duration, _ time: Timestamp
    ) -> [Line] {
        defer { lines = [] }
        var triggers = zip(events, numbers).compactMap { HookTrigger($0, number: $1, time: time) }
        if loaded.hooks.contains(where: \.followsFacts) {
            triggers += events.refreshed.map { HookTrigger(change: $0, time: time) }
        }
        schedule.react(to: triggers, at: moment)
        perform(at: moment, time)
        return lines
    }

    /// What last became of a hook, by application; nil where none has this name.
    public func events(of hook: String) -> [HookEvent]? {
        loaded.hooks.contains { $0.name == hook } ? history[hook] : nil
    }

    /// The names of all hooks.
    public var names: [String] { loaded.hooks.map(\.name) }

    private mutating func perform(at moment: Duration, _ time: Timestamp) {
        while true {
            let steps = schedule.takeSteps()
            if steps.isEmpty { return }
            for step in steps { carryOut(step, at: moment, time) }
        }
    }

    private mutating func carryOut(_ step: Step, at moment: Duration, _ time: Timestamp) {
        switch step {
        case .start(let id, let job, let isCheck):
            let text = RunWords.wouldRun(job, isCheck: isCheck)
            if isCheck {
                lines.append(Line(time: time, text: text, event: nil))
            } else {
                add(HookEvent(.ran, of: job, RunWords.verb(job), at: time), text)
            }
            schedule.ended(id, .exited(isCheck ? 1 : 0), at: moment)
        case .matched(let job):
            let reason = RunWords.step(job)
            let text = RunWords.about(job, "matched by \(job.trigger.change.path), \(reason)")
            add(HookEvent(.matched, of: job, reason, at: time), text)
        case .collapsed(let job):
            let reason = "something newer came before its turn"
            add(HookEvent(.collapsed, of: job, reason, at: time), RunWords.about(job, "not run: \(reason)"))
        case .remark(let remark):
            let text = RunWords.remark(remark)
            if case .leftTooEarly(let job) = remark {
                add(HookEvent(.leftTooEarly, of: job, RunWords.lasting(job), at: time), text)
            } else {
                lines.append(Line(time: time, text: text, event: nil))
            }
        case .follow, .release, .stop: break
        }
    }

    private mutating func add(_ event: HookEvent, _ text: String) {
        history.note(event)
        lines.append(Line(time: event.time, text: text, event: event))
    }
}

extension Timestamp {
    fileprivate static func - (time: Timestamp, duration: Duration) -> Timestamp {
        let billion = 1_000_000_000
        let all =
            Int128(time.seconds) * Int128(billion) + Int128(time.nanoseconds) - Int128(duration.nanoseconds)
        return Timestamp(seconds: Int(all / Int128(billion)), nanoseconds: Int(all % Int128(billion)))
    }
}
