import Glibc
import Hooks
import System

/// What is frozen on all displays, as the records have it: for whoever has no service to ask.
public struct HeldRecords {
    private let records: [RecordFile]
    private let environment: Environment

    /// - Parameter environment: XDG_STATE_HOME and HOME say where the records lie.
    public init(environment: Environment) throws(SystemError) {
        records = try RecordFile.all(environment: environment)
        self.environment = environment
    }

    /// Thaws everything, also what is held by processes that run. Their records stay as they are: to undo it again does
    /// nothing.
    ///
    /// - Returns: What was held and is no longer, and what could not be undone, in words; and the processes that were stopped.
    public func thawAll() -> (done: [String], faults: [String], processes: [ProcessIdentity]) {
        var (done, faults, processes): ([String], [String], [ProcessIdentity]) = ([], [], [])
        for record in records {
            do {
                for pair in try record.read().pairs {
                    let holds = pair.holds.filter(\.isFreeze)
                    let isHeld = holds.contains(where: \.isInForce)
                    // In any case: a process may be about to stop.
                    let failed = holds.undone().faults
                    faults += failed
                    processes += holds.flatMap(\.stopped)
                    if isHeld && failed.isEmpty { done.append(pair.thawedInWords) }
                }
            } catch {
                faults.append("\(error)")
            }
        }
        return (done, faults, processes)
    }

    /// The applications that are frozen.
    public var frozen: [String] {
        records.flatMap { (try? $0.read().pairs) ?? [] }
            .filter { $0.holds.contains { $0.isFreeze && $0.isInForce } }.map(\.application)
    }

    /// The thawed processes that are stopped all the same, and by what, in words. Waits where they may be about to stop.
    public static func stillStopped(_ processes: [ProcessIdentity]) -> [String] {
        guard processes.mayBeStopped else { return [] }
        poll(nil, 0, Int32([ProcessIdentity].lookDelay.milliseconds))
        return processes.stillStopped.map { "still stopped: \($0)" }
    }

    /// Thaws what killed processes have left frozen. All else is left to the next one that serves the display.
    ///
    /// To be done before anything that may keep the next process from starting: a program that is stopped does not even
    /// notice that its display is gone.
    ///
    /// - Parameter display: The one that is about to be served, whose record stays as it is; it is taken out of all others.
    /// - Returns: What could not be thawed, in words.
    public func thawAbandoned(serving display: String?) -> [String] {
        let own = display.map { "\(DisplayFileName($0))" }
        return records.flatMap { record -> [String] in
            guard let contents = try? record.read(),
                contents.pairs.contains(where: { $0.holds.contains(where: \.isFreeze) }),
                // Whoever lives has it, and thaws by itself.
                let lock = try? InstanceLock(display: contents.display, environment: environment),
                // It may have been thawed meanwhile.
                var pairs = try? record.read().pairs
            else { return [] }
            var faults: [String] = []
            for index in pairs.indices {
                let freezes = pairs[index].holds.filter(\.isFreeze)
                let (left, failed) = freezes.undone()
                faults += failed
                pairs[index].holds = pairs[index].holds.filter { !$0.isFreeze } + left
            }
            if "\(DisplayFileName(contents.display))" != own {
                try? record.write(pairs, display: contents.display)
            }
            withExtendedLifetime(lock) {}
            return faults
        }
    }
}
