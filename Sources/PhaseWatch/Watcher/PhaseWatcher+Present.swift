import Scenes
import System

extension PhaseWatcher {
    /// What was believed at one moment, to be handed to `resync(since:)`.
    public struct State: Sendable {
        let reported: ReportedState
    }

    /// Everything that is believed to be there, as changes of the kind `initial`. Asks the server nothing.
    public var present: [Change] {
        tracker.present(names).compactMap(\.change)
    }

    /// The scene that is active, as a change of the kind `initial`; nil while there is none. Of a monitor it is the one among
    /// those not in the background that was active last, or, before any was, the topmost. Its title needs `Details.titles`,
    /// monitors need `Details.places`.
    public func activeScene(on monitor: String? = nil) -> Change? {
        let all = tracker.present(names)
        let scenes = all.deltas.filter { $0.level == .scene && $0.to != .background }
        guard let monitor else { return scenes.first { $0.to == .active }.flatMap(all.change) }
        let (desktop, stacking) = (observer.desktop, observer.desktop.stacking)
        let order = desktop.screens.indices.flatMap(stacking.fromTop)
        func rank(_ scene: Delta) -> (Int64, Int) {
            let window = all.sceneID(of: scene).flatMap { desktop.windows.facts(of: $0.xid)?.topLevel }
            let depth = window.flatMap(stacking.slot(of:)).flatMap { order.firstIndex(of: $0) }
            // `present` reports an active scene as if it had become active at the start.
            return (scene.to == .active ? .max : all.lastActive(scene), -(depth ?? order.count))
        }
        return scenes.filter { all.scene(of: $0)?.monitor == monitor }.max { rank($0) < rank($1) }
            .flatMap(all.change)
    }

    /// What is believed now.
    public var state: State { State(reported: tracker.reported(names)) }

    /// Everything there is, for a reader to whom changes were lost: what is gone comes as closed, and all else as
    /// changes of the kind `initial`.
    ///
    /// - Parameter state: What the reader knows.
    public func resync(since state: State) -> [Event] { resyncBatches(since: state).flatMap { Array($0) } }

    /// The same as `resync(since:)`, without strings.
    public func resyncBatches(since state: State) -> [ChangeBatch] {
        tracker.resync(since: state.reported, names, at: Clock.nanoseconds())
    }
}

extension ChangeBatch {
    /// Whether `PhaseWatcher.activeScene(on:)` may be another one since these changes, or have other facts.
    public func concernsActiveScene(on monitor: String?) -> Bool {
        hasRefreshed
            || deltas.contains {
                $0.level == .scene && (monitor != nil || $0.from == .active || $0.to == .active)
            }
    }
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
