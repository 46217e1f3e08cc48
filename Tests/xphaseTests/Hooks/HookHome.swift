import Glibc
import TestDesktop

/// A temporary home with a configuration, hooks and their output.
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

    /// Runs a command of xphase with this home, without a display if none is named.
    func xphase(_ words: String..., on display: VirtualDisplay? = nil) throws -> (
        code: Int32, output: [String], errors: [String]
    ) {
        try XPhase.run(words, on: display, environment: environment)
    }

    /// Replaces the configuration with a rename, as editors do.
    func configure(_ text: String) throws {
        rename(try folder.write("config/xphase/config.toml.new", text), configurationFile)
    }

    /// Adds an executable to hooks.d.
    func addHook(_ name: String, _ script: String, mode: mode_t = 0o755) throws {
        try addScript("config/xphase/hooks.d/\(name)", script, mode)
    }

    /// Adds a program that takes precedence over the system's program of that name.
    func addTool(_ name: String, _ script: String) throws {
        try addScript("bin/\(name)", script, 0o755)
    }

    private func addScript(_ name: String, _ script: String, _ mode: mode_t) throws {
        let draft = try folder.write("draft", "#!/bin/sh\n\(script)\n")
        chmod(draft, mode)
        rename(draft, "\(path)/\(name)")
    }

    func write(_ name: String, _ text: String) throws {
        rename(try folder.write("\(name).draft", text), "\(path)/\(name)")
    }

    /// Creates the journal directory, and writes the file of a day.
    func writeJournal(_ day: String, _ text: String) throws {
        for name in ["state/xphase", "state/xphase/journal"] { mkdir("\(path)/\(name)", 0o700) }
        try write("state/xphase/journal/\(day).jsonl", text)
    }

    func exists(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

    /// Returns the sorted names of the files below one of its directories.
    func files(_ name: String, _ tests: String...) throws -> [String] {
        try Program.run(
            "find", ["\(path)/\(name)", "-type", "f"] + tests + ["-printf", "%f\\n"], package: "findutils"
        ).output.sorted()
    }

    /// Returns the names of the undo records that are not empty, including those set aside.
    func records() throws -> [String] { try files("state", "-size", "+0c") }

    /// Returns the lines of a file, or none if it does not exist.
    func lines(_ name: String) throws -> [String] {
        exists(name) ? try Program.run("cat", ["\(path)/\(name)"]).output : []
    }

    /// Waits for a file that is created by a rename, and returns its lines.
    @discardableResult
    func waitForFile(_ name: String) throws -> [String] {
        guard waitUntil({ exists(name) }) else { throw Failure("there is no \(name)") }
        return try lines(name)
    }

    /// Waits until a file has at least as many lines as `lines`, and throws if they differ.
    func waitForLines(_ lines: [String], in name: String = "log") throws {
        guard try waitUntil({ try self.lines(name).count >= lines.count }), try self.lines(name) == lines
        else { throw Failure("\(name) has \(try self.lines(name)), not \(lines)") }
    }
}
