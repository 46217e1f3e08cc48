import Glibc
import TestDesktop
import Testing

extension RootTests {
    /// Programs whose arguments and environment cannot be read, since they wait for a file of a file system that does not
    /// answer.
    @Suite struct HangingProgramTests: FreezesPrograms {
        private let folder: TemporaryFolder
        /// A FUSE file system with one file, which cannot be read. It does not cache the file from the second opening on.
        private let server: Program

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.write("file", "")
            _ = try folder.write(
                "program",
                """
                import mmap, os, sys, threading, time
                place = sys.argv[1]
                files = [os.open(place, os.O_RDONLY) for _ in range(2)]
                threading.Thread(target=os.read, args=(files[0], 1)).start()
                while not os.path.exists(place + ".read"):
                    time.sleep(0.01)
                open(place + ".pid", "w").write(str(os.getpid()))
                # Waits for the page of the cache that is being read.
                mmap.mmap(files[1], 4096, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
                """)
            let script = """
                import ctypes, os, struct, sys
                place = sys.argv[1]
                fuse, libc = os.open("/dev/fuse", os.O_RDWR), ctypes.CDLL(None)
                options = b"fd=%d,rootmode=100444,user_id=0,group_id=0" % fuse
                if libc.mount(b"fuse", place.encode(), b"fuse", 0, options):
                    sys.exit("cannot mount")
                print("ready", flush=True)
                # From linux/fuse.h.
                attributes, opening, reading, start = 3, 14, 15, 26
                status = struct.pack("6Q10I", 1, 4096, *7 * [0], 0o100444, 1, 0, 0, 0, 4096, 0)
                answers = {
                    start: struct.pack("4I2H2I32x", 7, 31, 0, 0, 1, 1, 4096, 1),
                    attributes: struct.pack("Q8x", 100) + status,
                    opening: struct.pack("Q2I", 0, 0, 0),
                }
                while True:
                    _, kind, number = struct.unpack_from("2IQ", os.read(fuse, 1 << 20))
                    if kind in answers:
                        os.write(fuse, struct.pack("IiQ", 16 + len(answers[kind]), 0, number) + answers[kind])
                    if kind == opening:
                        answers[opening] = struct.pack("Q2I", 0, 1, 0)
                    if kind == reading:
                        open(place + ".read", "w")
                """
            server = try Program("/usr/bin/python3", ["-c", script, folder("file")])
            guard try server.output.next() == "ready" else {
                throw Failure("no file system: \(try server.errors.rest())")
            }
        }

        /// Ends the file system, and so the wait of programs.
        private func end() throws {
            try server.end(SIGKILL)
            umount2(folder("file"), Int32(MNT_DETACH))
        }

        @Test func aSecondStartThatDoesNotAnswerThaws() throws {
            defer { #expect(throws: Never.self) { try end() } }
            let (hooks, client) = try Self.frozenClient("events()")
            let second = try Program(
                "/usr/bin/python3", [folder("program"), folder("file")],
                environment: hooks.session.display.environment)
            defer {
                server.send(SIGKILL)
                withExtendedLifetime(second) {}
            }
            let line = try hooks.waitForMessage("Alpha thawed")
            let words = "which may be a second start of its program and does not answer"
            #expect(line.hasSuffix("process \(second.pid), \(words)"), "\(line)")
            #expect(try waitUntil { try Self.runs(client) })
            try hooks.end()
        }

        @Test func aProgramThatWasJustStartedAndDoesNotAnswerPostponesTheFreeze() throws {
            defer { #expect(throws: Never.self) { try end() } }
            let hooks = try Self.clientSession()
            let client = try ProgramWindow.scripted(
                hooks.session,
                """
                import subprocess
                subprocess.Popen(["/usr/bin/python3", "\(folder("program"))", "\(folder("file"))"])
                events()
                """)
            var state: String?
            let hangs = try waitUntil {
                let pid = try Program.run("cat", [folder("file.pid")]).output.first ?? "0"
                state = try Program.run("ps", ["-o", "stat=", "-p", pid], package: "procps").output.first
                return state?.hasPrefix("D") == true
            }
            #expect(hangs, "\(state ?? "")")
            client.iconify()
            let line = try hooks.waitForMessage("does not freeze Alpha")
            #expect(line.hasSuffix("yet: it has just started python3"), "\(line)")
            #expect(try !client.isStopped)
            try hooks.end()
        }
    }
}
