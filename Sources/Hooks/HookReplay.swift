import Console
import PhaseWatch
import System

/// A dry run of hooks on recorded changes.
public struct HookReplay {
    /// A report about a hook.
    public struct Line: Sendable {
        public let time: Timestamp
        /// The human-readable form.
        public let text: String
        /// nil if the hook only performs a check.
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

    /// The settings of the configuration that determine phases.
    public var settings: WatchSettings { loaded.configuration.watch }

    /// Returns messages about data that a recording lacks, and how the hooks that depend on it react.
    ///
    /// - Parameter hasTitles: Whether the recording contains titles.
    public func lacks(hasTitles: Bool) -> [String] {
        let powered = loaded.hooks.filter { $0.power != nil }.map(\.name)
        let titled = hasTitles ? [] : loaded.hooks.filter(\.followsTitles).map(\.name)
        return [
            ("recordings do not contain the power supply; these hooks react as if it matched: ", powered),
            ("this recording has no titles (record --titles); these hooks match nothing: ", titled),
        ].compactMap { $1.isEmpty ? nil : $0 + $1.joined(separator: ", ") }
    }

    /// Advances the replay to a moment.
    ///
    /// - Returns: The actions that hooks would have taken until then, in order.
    public mutating func advance(to moment: Moment) -> [Line] {
        var lines: [Line] = []
        while let due = engine.next, due <= moment.now {
            lines += handle(.timer, at: Moment(now: due, time: moment.time + (due - moment.now)))
        }
        return lines
    }

    /// Handles the changes that settled at a moment. The caller has advanced the replay to that moment.
    ///
    /// - Parameter numbers: The number of each event's line; nil for an event without a line.
    /// - Returns: The actions that hooks would have taken immediately.
    public mutating func take(_ events: ChangeBatch, numbers: [Int?], at moment: Moment) -> [Line] {
        let triggers = HookTrigger.of(events, numbers: numbers, for: loaded.hooks, at: moment.time)
        return handle(.changes(triggers), at: moment)
    }

    /// Returns the last events of a hook, by application; nil if no hook has this name.
    public func events(of hook: String) -> [HookEvent]? {
        loaded.hooks.contains { $0.name == hook } ? engine.history[hook] : nil
    }

    public var names: [String] { loaded.hooks.map(\.name) }

    private mutating func handle(_ input: HookInput, at moment: Moment) -> [Line] {
        engine.handle(input, at: moment).compactMap { effect in
            guard case .say(let remark) = effect, let text = RunWords.replayed(remark) else { return nil }
            let event = remark.event.map { HookEvent($0.kind, of: $0.job, $0.reason, at: moment.time) }
            return Line(time: moment.time, text: text, event: event)
        }
    }
}
