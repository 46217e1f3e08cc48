import Glibc
import TestDesktop

/// A home of the test's own: its configuration, its hooks, and what these write.
final class HookHome {
    let folder: TemporaryFolder

    init(_ configuration: String? = nil) throws {
        folder = try TemporaryFolder()
        for name in ["config", "config/xphase", "config/xphase/hooks.d", "state", "runtime", "bin"] {
            mkdir("\(folder.path)/\(name)", 0o700)
        }
        if let configuration { try configure(configuration) }
    }

    var path: String { folder.path }
    var configurationFile: String { "\(path)/config/xphase/config.toml" }
    var hooksDirectory: String { "\(path)/config/xphase/hooks.d" }

    var environment: [String: String?] {
        [
            "HOME": path, "XDG_CONFIG_HOME": "\(path)/config", "XDG_STATE_HOME": "\(path)/state",
            "XDG_RUNTIME_DIR": "\(path)/runtime", "PATH": "\(path)/bin:\(XPhase.searchPath)",
        ]
    }

    /// Replaces the configuration as editors do: by a rename.
    func configure(_ text: String) throws {
        rename(try folder.write("config/xphase/config.toml.new", text), configurationFile)
    }

    /// Puts an executable into hooks.d.
    func addHook(_ name: String, _ script: String, mode: mode_t = 0o755) throws {
        let draft = try folder.write("draft", "#!/bin/sh\n\(script)\n")
        chmod(draft, mode)
        rename(draft, "\(hooksDirectory)/\(name)")
    }

    /// Puts a program before those of this name that the system has.
    func addTool(_ name: String, _ script: String) throws {
        let draft = try folder.write("draft", "#!/bin/sh\n\(script)\n")
        chmod(draft, 0o755)
        rename(draft, "\(path)/bin/\(name)")
    }

    func write(_ name: String, _ text: String) throws {
        rename(try folder.write("\(name).draft", text), "\(path)/\(name)")
    }

    /// Makes the directory of the journal, and writes the file of a day.
    func writeJournal(_ day: String, _ text: String) throws {
        for name in ["state/xphase", "state/xphase/journal"] { mkdir("\(path)/\(name)", 0o700) }
        try write("state/xphase/journal/\(day).jsonl", text)
    }

    func exists(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

    /// The names of the files in one of its directories.
    func files(_ name: String) throws -> [String] {
        try Program.run("find", ["\(path)/\(name)", "-type", "f", "-printf", "%f\\n"], package: "findutils")
            .output.sorted()
    }

    /// The records in which something is owed, and what was set aside of them.
    func records() throws -> [String] {
        try Program.run(
            "find", ["\(path)/state", "-type", "f", "-size", "+0c", "-printf", "%f\\n"], package: "findutils"
        ).output.sorted()
    }

    /// The lines of a file; none if it is not there.
    func lines(_ name: String) throws -> [String] {
        exists(name) ? try Program.run("cat", ["\(path)/\(name)"]).output : []
    }

    /// Waits for a file that a rename creates as a whole, and returns its lines.
    @discardableResult
    func waitForFile(_ name: String) throws -> [String] {
        guard waitUntil({ exists(name) }) else { throw Failure("there is no \(name)") }
        return try lines(name)
    }

    /// Waits until a file has these lines, or more.
    func waitForLines(_ lines: [String], in name: String = "log") throws {
        guard try waitUntil({ try self.lines(name).count >= lines.count }), try self.lines(name) == lines
        else { throw Failure("\(name) has \(try self.lines(name)), not \(lines)") }
    }
}
