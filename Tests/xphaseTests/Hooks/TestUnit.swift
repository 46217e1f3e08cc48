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

    deinit { rmdir(path) }

    var processes: [String] { get throws { try Program.run("cat", ["\(path)/cgroup.procs"]).output } }

    var isFrozen: Bool {
        get throws { try Program.run("cat", ["\(path)/cgroup.events"]).output.contains("frozen 1") }
    }

    /// Starts an idle terminal in the unit.
    ///
    /// - Parameter options: The options of xterm; the last one is the class.
    func terminal(_ session: Session, _ options: String...) throws -> ProgramWindow {
        try terminal(session, options, script: "sleep 1000")
    }

    /// Starts a terminal in the unit that runs a script of the shell.
    func terminal(_ session: Session, _ options: [String] = [], script: String) throws -> ProgramWindow {
        let enter = "echo $$ > \(path)/cgroup.procs && exec xterm \"$@\""
        return try ProgramWindow(
            session, "sh", ["-c", enter, "sh"] + options + ["-e", "sh", "-c", script], package: "xterm",
            application: options.last ?? "XTerm")
    }

    /// Ends the terminal, and waits until the control group can be removed.
    func end(_ terminal: ProgramWindow) throws {
        try terminal.program.end()
        _ = try waitUntil { try processes.isEmpty }
    }
}

/// Such a group with a fake `systemctl` that knows only this unit.
final class TestUnit: TestGroup {
    private let home: HookHome
    private var isCovered = false

    /// - Parameters:
    ///   - home: The home of the xphase that queries the weights.
    ///   - name: The name of the unit; nil for a unique name.
    init(_ home: HookHome, name: String? = nil) throws {
        self.home = home
        try super.init(name)
        // To xphase, these files indicate a service manager and its bus.
        try home.write("runtime/bus", "")
        mkdir("\(home.path)/runtime/systemd", 0o700)
        try home.write("runtime/systemd/private", "")
        try home.write("weights", "CPUWeight=50\nIOWeight=[not set]\n")
        try home.addTool(
            "systemctl",
            """
            cd '\(home.path)'
            if [ "$2" = show ]; then echo 'ControlGroup=/\(self.name)'; exec cat weights; fi
            shift 5; printf '%s\\n' "$@" >weights.new; exec mv weights.new weights
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

    /// The CPUWeight that the service manager would report.
    var weight: String {
        get throws { try String(home.lines("weights").first?.dropFirst("CPUWeight=".utf8.count) ?? "") }
    }
}
