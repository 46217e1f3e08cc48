import Glibc
import TestDesktop

/// A cgroup2 control group, named as desktop environments name units. It is removed with its owner.
class TestGroup {
    let name: String
    let path: String
    /// The mount point of cgroup2.
    let root: String

    /// - Parameter name: The name of the unit; nil for a unique name.
    init(_ name: String? = nil) throws {
        let mount = try Program.run("findmnt", ["-nt", "cgroup2", "-o", "TARGET"], package: "util-linux")
        guard let root = mount.output.first else {
            throw Failure("there is no cgroup2 hierarchy: mount -t cgroup2 none /sys/fs/cgroup")
        }
        let unit = name ?? "app-xterm-\(getpid())-\(UInt32.random(in: 0...9999)).scope"
        (self.root, self.name, path) = (root, unit, "\(root)/\(unit)")
        guard mkdir(path, 0o755) == 0 else {
            throw Failure("no control group can be made in \(root): run this as root")
        }
    }

    deinit {
        _ = try? Program.run("sh", ["-c", "echo 1 > \(path)/cgroup.kill"])
        _ = waitUntil { rmdir(path) == 0 }
    }

    var processes: [String] { get throws { try Program.run("cat", ["\(path)/cgroup.procs"]).output } }

    var isFrozen: Bool {
        get throws { try Program.run("cat", ["\(path)/cgroup.events"]).output.contains("frozen 1") }
    }

    /// Starts a terminal in the unit that runs a script of the shell, or an idle one.
    func terminal(_ session: Session, script: String = "sleep 1000") throws -> ProgramWindow {
        let enter = "echo $$ > \(path)/cgroup.procs && exec xterm -e sh -c \"$0\""
        return try ProgramWindow(
            session, "sh", ["-c", enter, script], package: "xterm", application: "XTerm")
    }
}

/// Such a group with a fake service manager that knows only this unit.
final class TestUnit: TestGroup {
    private let home: HookHome
    private var manager: FakeBus?
    private var isCovered = false

    /// - Parameters:
    ///   - home: The home of the xphase that asks the service manager.
    ///   - name: The name of the unit; nil for a unique name.
    ///   - quota: The former CPU quota, in microseconds.
    ///   - answer: Python code that answers further methods, given `member` and `arguments`. GROUP is the directory of
    ///     the unit.
    init(_ home: HookHome, name: String? = nil, quota: UInt64 = .max, answer: String = "pass") throws {
        self.home = home
        try super.init(name)
        try home.write("properties", "{\"CPUWeight\": 50, \"CPUQuotaPerSecUSec\": \(quota)}")
        mkdir("\(home.path)/runtime/systemd", 0o700)
        unlink("\(home.path)/runtime/systemd/private")
        manager = try FakeBus(
            "\(home.path)/runtime/systemd/private",
            """
            FILE, GROUP, state = "\(home.path)/properties", "\(path)", {}

            def more(member, arguments):
                \(answer.replacing("\n", with: "\n    "))

            def answer(member, arguments, path):
                values = json.load(open(FILE))
                if member == "Get" and arguments[1] == "ControlGroup": return "v", (("s", "/\(self.name)"),)
                if member == "Get" and arguments[1] == "ActiveState": return "v", (("s", "active"),)
                if member == "Get": return "v", (("t", values.get(arguments[1], UNSET)),)
                if member == "SetUnitProperties":
                    values.update((name, value[1]) for name, value in arguments[2])
                    json.dump(values, open(FILE + ".new", "w"))
                    os.rename(FILE + ".new", FILE)
                    return "", ()
                found = more(member, arguments)
                if found: return found
                \(FakeBus.refusal)
            """)
    }

    deinit {
        if isCovered { _ = try? Program.run("umount", [path]) }
    }

    /// Replaces the files of the kernel, which may lack controllers, with test files.
    ///
    /// - Parameter more: Further files.
    func cover(_ more: [String: String] = [:]) throws {
        let processes = try processes.joined(separator: "\n")
        let folder = "\(home.path)/group"
        mkdir(folder, 0o755)
        let files = ["cgroup.procs": processes, "cgroup.freeze": "0"]
        for (file, text) in files.merging(more, uniquingKeysWith: { $1 }) {
            try home.write("group/\(file)", text + "\n")
        }
        guard try Program.run("mount", ["--bind", folder, path], package: "mount").code == 0 else {
            throw Failure("nothing can be mounted at \(path): run this as root")
        }
        isCovered = true
    }

    /// The weight or the quota that the service manager would report; nil for none.
    func value(_ property: String = "CPUWeight") throws -> UInt64? {
        let text = try home.lines("properties").joined()
        return text.ranges(of: "\"\(property)\": ").first.flatMap { range in
            UInt64(text[range.upperBound...].prefix { $0.isNumber })
        }
    }

    /// The processes that a call moves, one after the other, for `answer`.
    static let pids =
        "pids = arguments[2] if member == 'AttachProcessesToUnit' else dict(arguments[2])['PIDs'][1]"
}
