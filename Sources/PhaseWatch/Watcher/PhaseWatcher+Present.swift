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
