import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// A lock that permits one `xphase run` per user and display. Keep it alive with `withExtendedLifetime`. Its functions may
/// wait for a disk.
///
/// It is two files, since each of two directories may be shared without the other. The one in the runtime directory keeps
/// a second process from the socket, and names the holder to those who call it; the one beside the undo record keeps a
/// second process, which may have another runtime directory, from the record. The state directory may be on a file system
/// without locks, and the runtime directory is another one in each login of some users, so neither file replaces the other.
///
/// The kernel owns the lock and knows its holder, so a crash releases it. A process must not create two locks for one
/// display: record locks do not conflict within a process, and closing any descriptor of the file releases all of them.
public struct InstanceLock: Sendable {
    /// The name of the files of the display.
    let name: SystemString
    /// The runtime directory, which contains the lock file.
    private(set) var directory: OwnDirectory
    private var file: Descriptor
    /// The lock file beside the undo record; nil if it cannot be created.
    private let recordFile: Descriptor?
    private let environment: Environment
    private static let suffix = ".lock"

    /// - Parameters:
    ///   - display: The name of the display; the screen number is ignored.
    ///   - environment: XDG_RUNTIME_DIR and XDG_STATE_HOME locate the lock files.
    public init(display: String, environment: Environment) throws {
        name = "\(DisplayFileName(display))"
        self.environment = environment
        (directory, file) = try Self.locked("\(name)\(Self.suffix)", environment)
        let recordName = UndoRecordFile.name(of: display, Self.suffix)
        recordFile = try? UndoRecordFile.directory(environment).create(recordName, O_RDWR, mode: 0o600)
        do {
            try recordFile?.lock(recordName)
        } catch is SystemError {
            // Not all file systems have locks.
        }
    }

    /// The path of the lock file.
    var path: SystemString { directory.path(of: "\(name)\(Self.suffix)") }
    /// The path of the socket of the service.
    var socketPath: SystemString { directory.path(of: name) }

    /// Takes the lock again if its file was removed: the held one would not keep another process out.
    mutating func renew() throws {
        // Not even opened if it is the held one: its close would release the lock.
        if FileIdentity(path) == FileIdentity(file) { return }
        (directory, file) = try Self.locked("\(name)\(Self.suffix)", environment)
    }

    /// Returns the process that holds the lock of a display, with any runtime directory; nil if none does.
    ///
    /// A process that holds the lock itself must not call it: it closes the files.
    static func holder(display: String, _ environment: Environment) throws(SystemError) -> Int32? {
        let directory = try OwnDirectory.runtime(environment)
        return try holder(of: "\(DisplayFileName(display))\(suffix)", in: directory)
            ?? recordHolder(of: UndoRecordFile.name(of: display, suffix), environment)
    }

    /// Returns the environments of the processes that serve displays, or this one, with another runtime directory.
    ///
    /// A process that holds a lock itself must not call it.
    static func environments(of display: String? = nil, besides own: Environment) -> [Environment] {
        let files =
            display.map { [UndoRecordFile.name(of: $0, suffix)] }
            ?? (try? own.stateDirectory()).map { UndoRecordFile.names(in: $0, suffix) } ?? []
        return files.compactMap { recordHolder(of: $0, own) }.compactMap { Environment(of: $0)?.completed() }
            .filter { (try? $0.runtimeDirectory()) != (try? own.runtimeDirectory()) }
    }

    /// Returns the process that holds a lock file beside the records. Creates no directory.
    private static func recordHolder(of name: SystemString, _ environment: Environment) -> Int32? {
        guard let folder = try? environment.stateDirectory(), access(folder.cString, F_OK) == 0,
            let directory = try? UndoRecordFile.directory(environment)
        else { return nil }
        return try? holder(of: name, in: directory)
    }

    private static func holder(
        of name: SystemString, in directory: OwnDirectory
    ) throws(SystemError) -> Int32? {
        guard let file = try? directory.open(name) else { return nil }
        return try file.holder(directory.path(of: name))
    }

    private static func locked(
        _ name: SystemString, _ environment: Environment
    ) throws -> (directory: OwnDirectory, file: Descriptor) {
        let directory = try OwnDirectory.runtime(environment)
        // The sticky bit keeps cleanup programs from removing the file.
        let file = try directory.create(name, O_RDWR, mode: 0o1600)
        try file.lock(name)
        return (directory, file)
    }
}

extension Descriptor {
    /// Locks the file for this process until the descriptor is closed. Closing any other descriptor of the file
    /// releases the lock, too.
    ///
    /// - Throws: `ServiceError.held`, `SystemError`.
    fileprivate func lock(_ path: SystemString) throws {
        while true {
            var request = Self.wholeFile
            do throws(SystemError) {
                try SystemError.check("fcntl", fcntl(number, F_SETLK, &request), path: path)
                return
            } catch {
                if error.code != EAGAIN && error.code != EACCES { throw error }
            }
            // Without one, the holder has ended in the meantime.
            if let pid = try holder(path) { throw ServiceError.held(pid: pid) }
        }
    }

    /// Returns the process that keeps this one from locking the file; nil if none does.
    fileprivate func holder(_ path: SystemString) throws(SystemError) -> Int32? {
        var request = Self.wholeFile
        try SystemError.check("fcntl", fcntl(number, F_GETLK, &request), path: path)
        return request.l_type == Int16(F_UNLCK) ? nil : request.l_pid
    }

    private static var wholeFile: flock {
        var request = flock()
        request.l_type = Int16(F_WRLCK)
        request.l_whence = Int16(SEEK_SET)
        return request
    }
}
