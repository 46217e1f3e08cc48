import Loop
import Scenes

/// What is believed of the display, as subjects see it.
struct Present: Sendable {
    private let tracker: SceneTracker
    private(set) var own: OwnScenes
    /// Everything there is; nil until it is asked for.
    private var everything: [Change]?

    init(_ tracker: SceneTracker, own: OwnScenes) {
        self.tracker = tracker
        self.own = own
    }

    /// What there is of a subject, as it is told at the start.
    mutating func changes(of selection: Selection) -> [Change] {
        if selection.isOwnProcess { return own.present.map { [$0] } ?? [] }
        let all = everything ?? tracker.present(at: Clock.now()).compactMap(\.change)
        everything = all
        return all.filter(selection.matches)
    }

    /// The greatest phase of what a subject names; nil if there is nothing.
    mutating func phase(of selection: Selection) -> ScenePhase? {
        selection.isOwnProcess ? own.phase : changes(of: selection).compactMap(\.to).max()
    }
}
