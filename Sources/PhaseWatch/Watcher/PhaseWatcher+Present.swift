import Scenes
import System

extension PhaseWatcher {
    /// What was believed at one moment, to be handed to `resync(since:)`.
    public struct State: Sendable {
        let told: ToldState
    }

    /// Everything that is believed to be there, as changes of the kind `initial`. Asks the server nothing.
    public var present: [Change] {
        tracker.present(names).compactMap(\.change)
    }

    /// The scene that is active, or of those on a monitor the one that was active last, as a change of the kind `initial`; nil
    /// while there is none. Its title needs `Details.titles`, and monitors need `Details.places`.
    public func activeScene(on monitor: String? = nil) -> Change? {
        let all = tracker.present(names)
        let scenes = all.deltas.lazy.filter { $0.level == .scene }
        guard let monitor else { return scenes.first { $0.to == .active }.flatMap(all.change) }
        let there = scenes.compactMap(all.change).filter {
            $0.subjectID.scene != nil && $0.monitor == monitor
        }
        return recent.lazy.compactMap { id in there.first { $0.subjectID.scene == id } }.first
    }

    /// What is believed now.
    public var state: State { State(told: tracker.told(names)) }

    /// Everything there is, for a reader to whom changes were lost: what is gone comes as closed, and all else as
    /// changes of the kind `initial`.
    ///
    /// - Parameter state: What the reader knows.
    public func resync(since state: State) -> [Event] { resyncBatches(since: state).flatMap { Array($0) } }

    /// The same as `resync(since:)`, without strings.
    public func resyncBatches(since state: State) -> [ChangeBatch] {
        tracker.resync(since: state.told, names, at: Clock.nanoseconds())
    }
}

extension ChangeBatch {
    /// Whether `PhaseWatcher.activeScene` may be another one since these changes, or have other facts.
    public var concernsActiveScene: Bool { hasRefreshed || deltas.contains { $0.level == .scene } }
}

/// A moment of the X server; see `PhaseWatcher.askServer()`.
public struct ServerMoment: Sendable {
    /// When everything before it had been read; nil while it is not.
    fileprivate var read: Int64?
}

extension PhaseWatcher {
    /// Asks the server, whose answer comes after the events of all that it has done so far.
    public func askServer() -> ServerMoment {
        observer.askServer()
        lookAgain()
        return ServerMoment()
    }

    /// Whether all phases are reported that what the server had done at a moment led to. Ask after each update.
    public func hasReported(_ moment: inout ServerMoment) -> Bool {
        if moment.read == nil && hasBegun && !isReading && !hasQueuedEvents {
            moment.read = Clock.nanoseconds()
        }
        return moment.read.map(tracker.hasSettled) ?? false
    }
}

extension Change {
    fileprivate var monitor: String? { if case .scene(let facts) = subject { facts.monitor } else { nil } }
}
