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

    private func holder(_ display: String) throws -> Int32? {
        try InstanceLock.holder(display: display, ["XDG_RUNTIME_DIR": folder.path])
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

    @Test func oneProcessHoldsItAndIsNamed() throws {
        mkdir(folder("xphase"), 0o700)
        let holder = try rival()
        #expect(try holder.output.next() == "\(holder.pid)")
        for name in [":7", ":7.1", "unix:7.0"] {
            #expect(throws: ServiceError.held(pid: holder.pid)) { try lock(name) }
        }
        #expect("\(ServiceError.held(pid: holder.pid))".contains("process \(holder.pid)"))
        _ = try lock(":8")
        #expect(try self.holder(":7.1") == holder.pid && self.holder(":8") == nil && self.holder(":9") == nil)
        try holder.end(SIGKILL)
        #expect(try self.holder(":7") == nil)
        var own: InstanceLock? = try lock()
        let late = try rival()
        #expect(try late.output.next() == "refused")
        withExtendedLifetime(own) {}
        own = nil
        let next = try rival()
        #expect(try next.output.next() == "\(next.pid)")
        try next.end(SIGKILL)
    }

    @Test func theFileIsTheUsersOwnAndStays() throws {
        withExtendedLifetime(try lock()) {}
        #expect(folder.mode(of: "xphase") == 0o700)
        #expect(folder.mode(of: "xphase/:7.lock") == 0o1600)
    }

    @Test func anotherFileInThePlaceOfALockIsRefused() throws {
        mkdir(folder("xphase"), 0o700)
        symlink(folder("elsewhere"), folder("xphase/:7.lock"))
        mkdir(folder("xphase/:8.lock"), 0o700)
        #expect(throws: SystemError.self) { try lock() }
        #expect(throws: SystemError.self) { try lock(":8") }
        #expect(try folder.names() == ["xphase"])
    }
}
