import Console
import PhaseWatch
import System

/// Reports what hooks would have done about recorded changes, as a dry run does.
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
    private var engine: HookEngine

    public init(_ loaded: LoadedHooks) {
        self.loaded = loaded
        engine = HookEngine(hooks: loaded.hooks, isRecorded: false, isDry: true)
    }

    /// The details of scenes that the hooks need.
    public var details: PhaseWatcher.Details { loaded.hooks.details }

    /// How what is seen becomes phases, as their configuration says.
    public var settings: WatchSettings { loaded.configuration.watch }

    /// What a recording lacks, and how the hooks that depend on it are taken.
    ///
    /// - Parameter hasTitles: Titles are in it.
    public func lacks(hasTitles: Bool) -> [String] {
        let powered = loaded.hooks.filter { $0.power != nil }.map(\.name)
        let titled = hasTitles ? [] : loaded.hooks.filter(\.followsTitles).map(\.name)
        return [
            ("the power supply is not in a recording: these react as if theirs was in use: ", powered),
            ("titles are not in this recording (record --titles): nothing matches for ", titled),
        ].compactMap { $1.isEmpty ? nil : $0 + $1.joined(separator: ", ") }
    }

    /// Goes on to a moment.
    ///
    /// - Returns: What the hooks would have done until then, in its order.
    public mutating func advance(to moment: Moment) -> [Line] {
        var lines: [Line] = []
        while let due = engine.next, due <= moment.now {
            lines += handle(.timer, at: Moment(now: due, time: moment.time + (due - moment.now)))
        }
        return lines
    }

    /// Takes what became certain at a moment, to which `advance` has gone on.
    ///
    /// - Parameter numbers: The number of each event's line; nil where it is none.
    /// - Returns: What the hooks would have done about it at once.
    public mutating func take(_ events: ChangeBatch, numbers: [Int?], at moment: Moment) -> [Line] {
        let triggers = HookTrigger.of(events, numbers: numbers, for: loaded.hooks, at: moment.time)
        return handle(.changes(triggers), at: moment)
    }

    /// What last became of a hook, by application; nil where none has this name.
    public func events(of hook: String) -> [HookEvent]? {
        loaded.hooks.contains { $0.name == hook } ? engine.history[hook] : nil
    }

    /// The names of all hooks.
    public var names: [String] { loaded.hooks.map(\.name) }

    private mutating func handle(_ input: HookInput, at moment: Moment) -> [Line] {
        engine.handle(input, at: moment).compactMap { effect in
            guard case .say(let remark) = effect, let text = RunWords.replayed(remark) else { return nil }
            let event = remark.event.map { HookEvent($0.kind, of: $0.job, $0.reason, at: moment.time) }
            return Line(time: moment.time, text: text, event: event)
        }
    }
}
