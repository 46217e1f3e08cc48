import Console
import Hooks
import Service
import System

/// What applications are frozen by, in words.
struct Freezes {
    private let words: [(application: String, text: String)]

    /// What the service freezes.
    init(_ rows: [HookStatus]) {
        words = rows.compactMap { row in
            guard let application = row.application, let freeze = row.freeze else { return nil }
            let end = row.until.map { " until \(TimeText.moment($0.time))" } ?? ""
            return (application, freeze + end)
        }
    }

    /// What a service that was killed has left.
    init(left environment: Environment) {
        words = ((try? UndoRecords(environment: environment))?.leftFrozen ?? []).map { entry in
            let thaw = "xphase thaw \(entry.application.quotedForShell)"
            return (
                entry.application,
                "\(entry.frozenInWords), which an 'xphase run' that was killed has left: type \(thaw)"
            )
        }
    }

    /// Returns what freezes an application, in words that may have control characters.
    func words(about application: String) -> [String] {
        words.filter { $0.application == application }.map(\.text)
    }
}
