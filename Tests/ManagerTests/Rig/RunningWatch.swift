import Glibc
import Scenes
import TestDesktop

@testable import PhaseWatch

/// A watch within the test, beside new lists of the same display.
final class RunningWatch {
    private let options: PhaseMonitor.Options
    private let watcher: PhaseWatcher

    init(_ options: PhaseMonitor.Options) throws {
        self.options = options
        watcher = try PhaseWatcher(options)
        _ = try watcher.update()
    }

    /// Updates until nothing is pending and no event arrives for a while.
    private func settle() throws {
        var socket = pollfd(fd: watcher.fileDescriptor, events: Int16(POLLIN), revents: 0)
        let isAtRest = try waitUntil {
            _ = try watcher.update()
            let timeout = watcher.timeout
            return poll(&socket, 1, timeout < 0 ? 20 : min(timeout, 1000)) == 0 && timeout < 0
        }
        guard isAtRest else { throw Failure("the watch does not come to rest") }
    }

    /// Returns how a new list differs from the watch once both have settled.
    ///
    /// - Parameter isKnown: Returns whether a window, by its name, may differ. Its group and application may, too.
    func settledDifferences(isKnown: (String) -> Bool) throws -> [String] {
        var differences: [String] = []
        _ = try waitUntil(within: .patience / 4) {
            try settle()
            let new = try PhaseWatcher(options)
            _ = try new.update()
            differences = Self.differences(new, watcher, isKnown)
            return differences.isEmpty
        }
        return differences
    }

    private static func differences(
        _ new: PhaseWatcher, _ running: PhaseWatcher, _ isKnown: (String) -> Bool
    ) -> [String] {
        let known = (new.present + running.present).filter { $0.scene.map { isKnown("\($0.id)") } ?? false }
        let excused = Set(known.flatMap(\.parts))
        let (listed, watched) = (new.states, running.states)
        return Set(listed.keys).union(watched.keys).subtracting(excused).filter { listed[$0] != watched[$0] }
            .map { "list: \(new.evidence(of: $0)); watch: \(running.evidence(of: $0))" }
    }
}

extension PhaseWatcher {
    fileprivate var states: [SubjectID: Change] {
        Dictionary(uniqueKeysWithValues: present.map { ($0.state.subjectID, $0.state) })
    }

    fileprivate func evidence(of subject: SubjectID) -> String {
        let change = states[subject].map { "\($0.to?.rawValue ?? "closed") \($0.subject)" } ?? "gone"
        guard let window = subject.scene else { return "\(subject.application) \(change)" }
        let facts = observer.desktop.windows[window.xid].map { "\($0)" } ?? "unknown"
        return "\(window) \(change), read as \(facts), the focus is \(observer.desktop.inputFocus)"
    }
}

extension Change {
    /// The subject, and for a scene its group and application, with windows by their IDs alone.
    fileprivate var parts: [SubjectID] {
        [
            state.subjectID, SubjectID(application: application, group: group),
            SubjectID(application: application),
        ]
    }

    /// What a new list says if it agrees: a window that was destroyed may have had the ID before.
    fileprivate var state: Change {
        var state = self
        state.from = nil
        state.held = nil
        state.cause = .start
        state.kind = .initial
        if case .scene(var facts) = subject {
            facts.id = WindowID(facts.id.xid)
            state.subject = .scene(facts)
        }
        return state
    }
}
