import PhaseWatch
import Scenes

/// A change that a hook may run for.
package struct Occasion: Hashable, Sendable {
    package var change: Change
    /// The number of the line that told it; nil where no line did.
    package var sequence: Int?
    package var time: Timestamp

    package init(change: Change, sequence: Int? = nil, time: Timestamp) {
        self.change = change
        self.sequence = sequence
        self.time = time
    }

    /// nil for what is no change.
    init?(_ event: Event, number: Int?, time: Timestamp) {
        guard case .change(let change) = event else { return nil }
        self.init(change: change, sequence: number, time: time)
    }
}

extension Change {
    /// What has the phase, however often that changes.
    package var subjectID: SubjectID {
        if case .scene(let facts) = subject {
            SubjectID(application: application, group: group, scene: facts.id)
        } else {
            SubjectID(application: application, group: group, scene: nil)
        }
    }
}

/// A scene, a group or an application.
package struct SubjectID: Hashable, Sendable {
    package var application: String
    package var group: String?
    package var scene: WindowID?
}
