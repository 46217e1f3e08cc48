import Glibc
import TestDesktop

/// A control group of version 2, with a name as desktop environments give them, as the only unit that a `systemctl` knows.
final class TestUnit {
    let name: String
    let path: String
    private let home: HookHome

    /// - Parameter home: Of whoever asks for its weights.
    init(_ home: HookHome) throws {
        let mount = try Program.run("findmnt", ["-nt", "cgroup2", "-o", "TARGET"], package: "util-linux")
        guard let root = mount.output.first else {
            throw Failure("there is no cgroup2 hierarchy: mount -t cgroup2 none /sys/fs/cgroup")
        }
        name = "app-xterm-\(getpid())-\(UInt32.random(in: 0...9999)).scope"
        path = "\(root)/\(name)"
        self.home = home
        guard mkdir(path, 0o755) == 0 else {
            throw Failure("no control group can be made in \(root): run this as root")
        }
        // What says that there is a service manager.
        mkdir("\(home.path)/runtime/systemd", 0o700)
        try home.write("runtime/systemd/private", "")
        try home.write("weights", "CPUWeight=50\nIOWeight=[not set]\n")
        try home.addTool(
            "systemctl",
            """
            cd '\(home.path)'
            if [ "$2" = show ]; then echo 'ControlGroup=/\(name)'; exec cat weights; fi
            shift 5; printf '%s\\n' "$@" >weights.new; exec mv weights.new weights
            """)
    }

    deinit { rmdir(path) }

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
