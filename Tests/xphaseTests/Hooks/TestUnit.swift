import Glibc
import TestDesktop

/// A control group of version 2, named as desktop environments do, and a fake `systemctl` that knows only this unit.
final class TestUnit {
    let name: String
    let path: String
    /// Where all of them are.
    let root: String
    private let home: HookHome
    private var isCovered = false

    /// - Parameters:
    ///   - home: Of whoever asks for its weights.
    ///   - name: That of a unit which is made later, and is empty until then.
    init(_ home: HookHome, name: String? = nil) throws {
        let mount = try Program.run("findmnt", ["-nt", "cgroup2", "-o", "TARGET"], package: "util-linux")
        guard let root = mount.output.first else {
            throw Failure("there is no cgroup2 hierarchy: mount -t cgroup2 none /sys/fs/cgroup")
        }
        let unit = name ?? "app-xterm-\(getpid())-\(UInt32.random(in: 0...9999)).scope"
        (self.root, self.name, path) = (root, unit, "\(root)/\(unit)")
        self.home = home
        guard mkdir(path, 0o755) == 0 else {
            throw Failure("no control group can be made in \(root): run this as root")
        }
        // xphase takes these for a service manager, and for the bus on which it answers.
        try home.write("runtime/bus", "")
        mkdir("\(home.path)/runtime/systemd", 0o700)
        try home.write("runtime/systemd/private", "")
        try home.write("weights", "CPUWeight=50\nIOWeight=[not set]\n")
        try home.addTool(
            "systemctl",
            """
            cd '\(home.path)'
            if [ "$2" = show ]; then echo 'ControlGroup=/\(unit)'; exec cat weights; fi
            shift 5; printf '%s\\n' "$@" >weights.new; exec mv weights.new weights
            """)
    }

    deinit {
        if isCovered { _ = try? Program.run("umount", [path]) }
        rmdir(path)
    }

    /// Puts files of the test's own in place of those of the kernel, which may have no controller for memory.
    ///
    /// - Parameter more: Further files.
    func cover(_ more: [String: String] = [:]) throws {
        let processes = try Program.run("cat", ["\(path)/cgroup.procs"]).output.joined(separator: "\n")
        let folder = "\(home.path)/group"
        mkdir(folder, 0o755)
        let files = [
            "cgroup.procs": processes, "cgroup.freeze": "0", "memory.current": "4096", "memory.reclaim": "",
        ]
        for (file, text) in files.merging(more, uniquingKeysWith: { $1 }) {
            try home.write("group/\(file)", text + "\n")
        }
        guard try Program.run("mount", ["--bind", folder, path], package: "mount").code == 0 else {
            throw Failure("nothing can be mounted at \(path): run this as root")
        }
        isCovered = true
    }

    /// The share in the processor, as the service manager would say.
    var weight: String {
        get throws { try String(home.lines("weights").first?.dropFirst("CPUWeight=".utf8.count) ?? "") }
    }

    /// A terminal in it, in which nothing happens.
    ///
    /// - Parameter options: Of xterm; -class says what it is called.
    func terminal(_ session: Session, _ options: String...) throws -> ProgramWindow {
        let script = "echo $$ > \(path)/cgroup.procs && exec xterm \"$@\" -e sleep 1000"
        return try ProgramWindow(
            session, "sh", ["-c", script, "sh"] + options, package: "xterm",
            application: options.last ?? "XTerm")
    }

    /// Ends what is in it: it cannot be removed before.
    func end(_ terminal: ProgramWindow) throws {
        try terminal.program.end()
        _ = try waitUntil { try Program.run("cat", ["\(path)/cgroup.procs"]).output.isEmpty }
    }
}
