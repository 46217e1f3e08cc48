import Glibc
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

@Suite struct InstanceLockTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func lock(_ display: String = ":7") throws -> InstanceLock {
        try InstanceLock(display: display, environment: ["XDG_RUNTIME_DIR": folder.path])
    }

    /// Starts another process that takes the lock as xphase does, and prints its pid or `refused`.
    private func rival() throws -> Child {
        let script = """
            import fcntl, os, signal, sys
            file = open(sys.argv[1], "w")
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                print("refused", flush=True)
                sys.exit()
            print(os.getpid(), flush=True)
            signal.pause()
            """
        return try Child("python3", ["-c", script, folder("xphase/:7.lock")])
    }

    /// Checks whether another process can take the lock.
    private func isFree() throws -> Bool {
        let rival = try rival()
        defer { rival.send(SIGKILL) }
        return try rival.output.next() != "refused"
    }

    @Test func anotherProcessIsKeptOutAsLongAsItIsHeld() throws {
        var lock: InstanceLock? = try lock()
        #expect(try !isFree())
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(try isFree())
    }

    @Test func theHolderIsNamedUntilItIsKilled() throws {
        mkdir(folder("xphase"), 0o700)
        let rival = try rival()
        #expect(try rival.output.next() == "\(rival.pid)")
        for name in [":7", ":7.1", "unix:7.0"] {
            #expect(throws: ServiceError.held(pid: rival.pid)) { try lock(name) }
        }
        #expect("\(ServiceError.held(pid: rival.pid))".contains("process \(rival.pid)"))
        _ = try lock(":8")
        try rival.end(SIGKILL)
        _ = try lock()
    }

    @Test func theFileIsTheUsersOwnAndStays() throws {
        withExtendedLifetime(try lock()) {}
        #expect(folder.mode(of: "xphase") == 0o700)
        #expect(folder.mode(of: "xphase/:7.lock") == 0o1600)
    }

    @Test func theDescriptorDoesNotReachChildren() throws {
        let lock = try lock()
        let listing = try Child.run("ls", ["-l", "/proc/self/fd"], package: "coreutils")
        withExtendedLifetime(lock) {}
        #expect(listing.code == 0 && !listing.output.contains { $0.contains(":7.lock") })
    }

    /// Also if the whole directory was removed. A lock whose file is in place stays held.
    @Test(arguments: ["xphase/:7.lock", "xphase"]) func itIsTakenAgainIfItsFileWasRemoved(name: String) throws
    {
        let lock = try lock()
        for number in 1...2 {
            try lock.renew()
            #expect(try !isFree())
            rename(folder(name), folder("old\(number)"))
        }
        mkdir(folder("xphase"), 0o700)
        let rival = try rival()
        #expect(try rival.output.next() == "\(rival.pid)")
        #expect(throws: ServiceError.held(pid: rival.pid)) { try lock.renew() }
        try rival.end()
        try lock.renew()
        #expect(try !isFree())
    }

    @Test func whatLiesInItsPlaceIsRefused() throws {
        mkdir(folder("xphase"), 0o700)
        symlink(folder("elsewhere"), folder("xphase/:7.lock"))
        mkdir(folder("xphase/:8.lock"), 0o700)
        #expect(throws: SystemError.self) { try lock() }
        #expect(throws: SystemError.self) { try lock(":8") }
        #expect(try folder.names() == ["xphase"])
    }
}
