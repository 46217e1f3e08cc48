import Console
import Glibc
import Loop
import PhaseWatch

/// What is built in and still holds, as the records of all processes of the user tell it.
public struct HeldRecords {
    private let folder: SystemString
    private let environment: Environment

    /// - Parameter environment: XDG_STATE_HOME and HOME say where the records lie.
    public init(environment: Environment) throws(FileError) {
        folder = try StateDirectory(environment: environment).path
        self.environment = environment
    }

    /// Thaws everything on all displays, also what is held by processes that run. Their records stay as they are: to undo it
    /// again does nothing.
    ///
    /// - Returns: What was held and is no longer, and what could not be undone, in words.
    public func thawAll() -> (done: [String], faults: [String]) {
        var (done, faults): ([String], [String]) = ([], [])
        for name in names(like: "pairs-") {
            do {
                for pair in try pairs(in: name) {
                    let holds = pair.holds.filter(\.isFreeze)
                    let isHeld = holds.contains(where: \.isInForce)
                    // In any case: a process may be about to stop.
                    let failed = holds.undo()
                    faults += failed
                    if isHeld && failed.isEmpty {
                        done.append("\(pair.entry.change.path) thawed (hook '\(pair.entry.hook)')")
                    }
                }
            } catch {
                faults.append("\(error)")
            }
        }
        return (done, faults)
    }

    /// Thaws what processes on any display held when they were killed. Their records stay as they are.
    ///
    /// To be done before anything that may keep the next process from starting: a program that is stopped does not even
    /// notice that its display is gone.
    ///
    /// - Returns: What could not be thawed, in words.
    public func thawAbandoned() -> [String] {
        names(like: "pairs-").flatMap { name in
            let pairs = try? pairs(in: name, unlessLocked: true)
            return (pairs ?? []).flatMap(\.holds).filter(\.isFreeze).undo()
        }
    }

    /// A record for a command that runs beside others. What commands before it held on that display when they were killed is
    /// undone.
    public func recordForCommand(display: String) throws -> PairRecord {
        undoAbandoned(display: display)
        var number = 1
        while true {
            do {
                return try PairRecord(display: display, command: number, environment: environment)
            } catch LockError.held where number < 1000 {
                number += 1
            }
        }
    }

    /// Undoes what commands on a display held when they were killed.
    public func undoAbandoned(display: String) {
        let start = PairRecord.start(display: display) + ".on"
        for name in names(like: start) {
            guard let number = Int(name.dropFirst(start.utf8.count).prefix { $0 != "." }),
                // Locked as long as the command runs.
                let record = try? PairRecord(display: display, command: number, environment: environment),
                let pairs = try? record.read()
            else { continue }
            // Whoever still does it is waited for.
            let lock = try? ReactionLock(environment: environment)
            let holds = pairs.flatMap { $0.holds(in: Boot.id()) }
            let faults = holds.undo()
            withExtendedLifetime(lock) {}
            // What is left is for the next command.
            if faults.isEmpty { record.remove() }
        }
    }

    private func pairs(in name: String, unlessLocked: Bool = false) throws -> [RecordedPair] {
        let path = "\(folder)/\(name)"
        // A fifo would wait for its writer.
        let file = try Descriptor(
            "open", open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), path: path)
        if unlessLocked && file.isLocked { return [] }
        try file.check(path, forbidding: PairRecord.forbidden)
        let bytes = try file.readAll(path, limit: PairRecord.limit) ?? []
        return RecordContent(bytes).pairs.sorted { $0.key < $1.key }.map(\.value)
            .filter { $0.entry.bootID == Boot.id() }
    }

    private func names(like start: String) -> [String] {
        guard let directory = opendir(folder.cString) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(start) && name.hasSuffix(".log") { names.append(name) }
        }
        return names.sorted()
    }
}

extension PairRecord {
    /// How the names of all records of a display begin.
    static func start(display: String) -> String { "pairs-\(DisplayFileName(display))" }
}
