import Console
import Glibc
import Hooks
import System

/// The frozen applications on all displays, according to the records, for callers that have no service to ask.
public struct UndoRecords {
    private let records: [UndoRecordFile]
    private let environment: Environment

    /// - Parameter environment: XDG_STATE_HOME and HOME locate the records.
    public init(environment: Environment) throws(SystemError) {
        records = try UndoRecordFile.all(environment: environment)
        self.environment = environment
    }

    /// What became of the frozen applications.
    public struct Thawed: Sendable {
        /// Messages about the applications that were thawed.
        public var done: [String] = []
        /// Messages about failures.
        public var faults: [String] = []
        /// What is left for the next `xphase run`.
        public var left: [String] = []
        /// The processes that were stopped.
        public var processes: [ProcessIdentity] = []

        public init() {}
    }

    /// Thaws everything, including the holds of running processes. Their records stay unchanged: undoing a hold twice
    /// does nothing.
    public func thawAll() -> Thawed {
        var thawed = thaw(records) { _ in true }
        thawed.left = left
        return thawed
    }

    /// Thaws the applications that are meant and that killed processes have left frozen.
    public func thawLeft(where isMeant: (String) -> Bool) -> Thawed { thaw(abandoned, where: isMeant) }

    private func thaw(_ records: [UndoRecordFile], where isMeant: (String) -> Bool) -> Thawed {
        var thawed = Thawed()
        for record in records {
            do {
                for pair in try record.read().pairs where isMeant(pair.application) {
                    let isFrozen = pair.isFrozen
                    // Undo all freezes, even those not in force: a process may be about to stop.
                    let failed = pair.freezes.undone().faults
                    thawed.faults += failed
                    thawed.processes += pair.freezes.flatMap(\.stopped)
                    if isFrozen && failed.isEmpty { thawed.done.append(pair.thawedInWords) }
                }
            } catch {
                thawed.faults.append("\(error)")
            }
        }
        return thawed
    }

    /// The records of killed processes.
    private var abandoned: [UndoRecordFile] {
        records.filter { record in
            guard let display = try? record.read().display else { return false }
            do {
                return try InstanceLock.holder(display: display, environment) == nil
            } catch {
                // The lock cannot be read, so the process may still run.
                return false
            }
        }
    }

    /// The applications that are frozen.
    public var frozen: [String] { Self.freezes(in: records).map(\.application) }

    /// What killed processes have left frozen.
    public var leftFrozen: [UndoRecordEntry] { Self.freezes(in: abandoned) }

    private static func freezes(in records: [UndoRecordFile]) -> [UndoRecordEntry] {
        records.flatMap { (try? $0.read().pairs) ?? [] }.filter(\.isFrozen)
    }

    /// What killed processes have left besides freezes, and what undoes it.
    public var left: [String] {
        abandoned.flatMap { record -> [String] in
            guard let contents = try? record.read() else { return [] }
            let texts = contents.pairs.compactMap(\.leftInWords)
            let display = contents.display.escapedForTerminal
            return texts.map {
                "\($0), since 'xphase run' was killed: the next 'xphase run' on display \(display) undoes it"
            }
        }
    }

    /// Returns messages about thawed processes that are still stopped, with the causes. Waits if some may be about to
    /// stop.
    public static func stillStopped(_ processes: [ProcessIdentity]) -> [String] {
        guard processes.mayBeStopped else { return [] }
        poll(nil, 0, Int32([ProcessIdentity].lookDelay.milliseconds))
        return processes.stillStopped.map { "still stopped: \($0)" }
    }

    /// Thaws the applications that killed xphase processes have left frozen. Other reactions are left to the next
    /// process that serves the display.
    ///
    /// Call it before anything that may keep that process from starting: a stopped program does not even notice the
    /// loss of its display.
    ///
    /// - Parameter display: The display that is about to be served, whose record stays unchanged. From those of other
    ///   displays the freezes are removed: a unit may be frozen again by the service of another display.
    /// - Returns: Messages about failures.
    public func thawAbandoned(serving display: String?) -> [String] {
        let own = display.map(DisplayFileName.init)?.description
        return records.flatMap { record -> [String] in
            guard let contents = try? record.read(),
                contents.pairs.contains(where: { !$0.freezes.isEmpty }),
                // A running process holds the lock, and thaws by itself.
                let lock = try? InstanceLock(display: contents.display, environment: environment),
                // The applications may have been thawed meanwhile.
                let pairs = try? record.read().pairs
            else { return [] }
            let faults = pairs.flatMap(\.freezes).undone().faults
            if faults.isEmpty, DisplayFileName(contents.display).description != own {
                let left = pairs.map { pair in
                    var pair = pair
                    pair.holds.removeAll(where: \.isFreeze)
                    return pair
                }
                try? record.write(left, display: contents.display)
            }
            withExtendedLifetime(lock) {}
            return faults
        }
    }
}

extension UndoRecordEntry {
    fileprivate var freezes: [Hold] { holds.filter(\.isFreeze) }
    fileprivate var isFrozen: Bool { freezes.contains(where: \.isInForce) }
}
