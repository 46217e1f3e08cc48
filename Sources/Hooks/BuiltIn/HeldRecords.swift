import Console
import Glibc
import PhaseWatch
import System

/// What is built in and still holds, as the records of all processes of the user tell it.
public struct HeldRecords {
    /// The file whose time is that of the last `thaw-all`.
    private static let mark: SystemString = "thawed"

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
    /// - Returns: What was held and is no longer, and what could not be undone, in words; and the processes that were stopped.
    public func thawAll() -> (done: [String], faults: [String], processes: [ProcessIdentity]) {
        // First: what freezes something from now on sees it. A full disk is no reason to thaw nothing.
        if let mark = try? OwnDirectory(making: folder, forbidding: PairRecord.forbidden)
            .create(Self.mark, O_WRONLY, mode: 0o600)
        {
            futimens(mark.number, nil)
        }
        var (done, faults, processes): ([String], [String], [ProcessIdentity]) = ([], [], [])
        for name in names(like: "pairs-") {
            do {
                for pair in try pairs(in: name).pairs {
                    let holds = pair.holds.filter(\.isFreeze)
                    let isHeld = holds.contains(where: \.isInForce)
                    // In any case: a process may be about to stop.
                    let failed = holds.undo()
                    faults += failed
                    processes += holds.flatMap(\.stopped)
                    if isHeld && failed.isEmpty {
                        done.append("\(pair.entry.change.path) thawed (hook '\(pair.entry.hook)')")
                    }
                }
            } catch {
                faults.append("\(error)")
            }
        }
        return (done, faults, processes)
    }

    /// The thawed processes that are stopped all the same, and by what, in words. Waits where they may be about to stop.
    public static func stillStopped(_ processes: [ProcessIdentity]) -> [String] {
        guard processes.mayBeStopped else { return [] }
        poll(nil, 0, Int32([ProcessIdentity].lookDelay.milliseconds))
        return processes.stillStopped.map { "still stopped: \($0)" }
    }

    /// When everything was thawed last; nil if it never was.
    var lastThaw: Timestamp? {
        var status = stat()
        guard lstat(folder.entry(Self.mark).cString, &status) == 0 else { return nil }
        return Timestamp(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    }

    /// Thaws what processes on any display held when they were killed, but for what others hold. Their records stay as they
    /// are.
    ///
    /// To be done before anything that may keep the next process from starting: a program that is stopped does not even
    /// notice that its display is gone.
    ///
    /// - Returns: What could not be thawed, in words.
    public func thawAbandoned() -> [String] {
        let kept = holds().kept
        return names(like: "pairs-").flatMap { name in
            guard let (pairs, isLocked) = try? pairs(in: name), !isLocked else { return [String]() }
            return pairs.flatMap(\.holds).filter(\.isFreeze).compactMap { $0.without(kept) }.undo()
        }
    }

    /// What pairs hold on any display: `kept` by living processes and not being undone, and `all`, those of killed
    /// processes included. To be asked while `ReactionLock` is held, by a process that has no record of its own.
    func holds() -> (kept: [Hold], all: [Hold]) {
        var (kept, all): ([Hold], [Hold]) = ([], [])
        for name in names(like: "pairs-") {
            guard let (pairs, isLocked) = try? pairs(in: name) else { continue }
            all += pairs.flatMap(\.holds)
            if isLocked { kept += pairs.filter { !$0.isEnding }.flatMap(\.holds) }
        }
        return (kept, all)
    }

    /// A record for a command that runs beside others; not one that was left behind.
    public func recordForCommand(display: String) throws -> PairRecord {
        let taken = names(like: PairRecord.start(display: display) + ".on")
        var number = 1
        while true {
            do {
                if !taken.contains(PairRecord.name(display: display, command: number)) {
                    return try PairRecord(display: display, command: number, environment: environment)
                }
            } catch LockError.held where number < 1000 {}
            number += 1
        }
    }

    /// Whether commands on the display of a record have others.
    func hasCommands(beside own: PairRecord) -> Bool {
        names(like: PairRecord.start(display: own.display) + ".on").contains { $0 != own.name }
    }

    /// Undoes what commands on a display held when they were killed, but for what was frozen. Other programs are waited for,
    /// so that it is for a process that holds `ReactionLock` and has nothing else to do.
    func undoAbandoned(display: String) {
        let kept = holds().kept
        let start = PairRecord.start(display: display) + ".on"
        for name in names(like: start) {
            guard let number = Int(name.description.dropFirst(start.utf8.count).prefix { $0 != "." }),
                // Locked as long as the command runs.
                let record = try? PairRecord(display: display, command: number, environment: environment),
                let pairs = try? record.read()
            else { continue }
            // It was thawed before, and whoever has done that may have frozen it again.
            let holds = pairs.flatMap { $0.holds(in: Boot.id()) }.filter { !$0.isFreeze }
            let faults = holds.compactMap { $0.without(kept) }.undo()
            // What is left is for the next command.
            if faults.isEmpty { record.remove() }
        }
    }

    private func pairs(in name: SystemString) throws -> (pairs: [RecordedPair], isLocked: Bool) {
        let path = folder.entry(name)
        // A fifo would wait for its writer.
        let file = try Descriptor(
            "open", open(path.cString, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), path: path)
        let isLocked = file.isLocked
        try file.check(path, forbidding: PairRecord.forbidden)
        let bytes = try file.readAll(path, limit: PairRecord.limit) ?? []
        let pairs = RecordContent(bytes).pairs.sorted { $0.key < $1.key }.map(\.value)
        return (pairs.filter { $0.entry.bootID == Boot.id() }, isLocked)
    }

    private func names(like start: String) -> [SystemString] {
        (folder.entryNames ?? []).filter { $0.hasPrefix(start) && $0.hasSuffix(".log") }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}

extension PairRecord {
    /// How the names of all records of a display begin.
    static func start(display: String) -> String { "pairs-\(DisplayFileName(display))" }

    static func name(display: String, command: Int?) -> SystemString {
        "\(start(display: display))\(command.map { ".on\($0)" } ?? "").log"
    }
}

/// Makes whoever undoes something wait for whoever still does it, though xphase has been killed meanwhile: the programs that
/// it has started have the lock, too.
struct ReactionLock {
    private let file: Descriptor

    init(environment: Environment) throws {
        let directory = try OwnDirectory(
            making: try StateDirectory(environment: environment).path, forbidding: PairRecord.forbidden)
        file = try directory.create("reactions.lock", O_RDWR, mode: 0o600)
        while flock(file.number, LOCK_EX) < 0 {
            if errno != EINTR { throw SystemError("flock", errno) }
        }
        _ = fcntl(file.number, F_SETFD, 0)
    }
}
