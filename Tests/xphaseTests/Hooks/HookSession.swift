import Glibc
import TestDesktop

/// A display with openbox, windows of the test's own, and the real `xphase run` with a home of its own.
final class HookSession {
    let home: HookHome
    let session: Session
    /// What was read of its stderr.
    private(set) var reported: [String] = []

    /// - Parameters:
    ///   - configuration: Its config.toml; nil for none.
    ///   - prepare: Writes more files before xphase starts.
    init(
        _ configuration: String?, _ arguments: [String] = ["--level", "application"],
        manager: WindowManager = .openbox, settle: String? = "250ms", environment: [String: String?] = [:],
        prepare: (HookHome, Stage) throws -> Void = { _, _ in }
    ) throws {
        let home = try HookHome(configuration)
        self.home = home
        session = try Session(
            manager, arguments, settle: settle, command: "run",
            environment: home.environment.merging(environment) { $1 }
        ) { try prepare(home, $0) }
    }

    deinit {
        // Before the home is deleted, which xphase would create again.
        try? run.end()
    }

    var run: Program { session.watch }

    /// Reads stderr until a line holds the text; returns that line.
    @discardableResult
    func waitForMessage(_ text: String) throws -> String {
        do {
            while let line = try run.errors.next() {
                reported.append(line)
                if line.contains(text) { return line }
            }
        } catch {
            throw Failure("\(error); xphase did not say '\(text)' but \(reported)")
        }
        throw Failure("xphase ended and did not say '\(text)' but \(reported)")
    }

    /// Opens an Alpha and iconifies it, for which the pair of that name enters.
    @discardableResult
    func enterPair() throws -> TestWindow {
        let window = try session.open("Alpha")
        try session.settle { window.iconify() }
        try home.waitForLines(["enter pair"])
        return window
    }

    /// Makes each fsync(2) of xphase take a minute, until the program that is returned ends.
    ///
    /// - Parameter first: The number of the first one that does, from now on.
    ///
    /// - Parameter call: What takes that long: fsync of all files, or another call, with strace's options that choose the file.
    func slowDisk(_ call: String = "fsync", of file: [String] = [], from first: Int = 1) throws -> Program {
        let slowness = try Program(
            "strace",
            [
                "-f", "-qq", "-p", "\(run.pid)", "-e", "trace=\(call)", "-e",
                "inject=\(call):delay_enter=60s:when=\(first)+",
            ] + file, package: "strace")
        guard try waitUntil({ try run.status("TracerPid").hasSuffix("\t\(slowness.pid)") }) else {
            throw Failure("strace does not trace xphase: \(try slowness.errors.rest())")
        }
        return slowness
    }

    /// Ends xphase, which runs all owed leaves first. Returns its whole stderr.
    @discardableResult
    func end(_ signal: Int32 = SIGTERM) throws -> [String] {
        run.send(signal)
        return try ended()
    }

    /// Waits for its exit with this code, and returns its whole stderr.
    func ended(with code: Int32 = 0) throws -> [String] {
        reported += try run.errors.rest()
        let real = try run.exitCode()
        guard real == code else { throw Failure("xphase ended with \(real), not \(code): \(reported)") }
        return reported
    }
}

extension HookSession {
    /// A hook that runs a text in the shell.
    static func hook(_ name: String = "note", _ keys: String = "application = \"Alpha\"", shell: String)
        -> String
    {
        "[[hook]]\nname = \"\(name)\"\n\(keys)\nshell = '''\n\(shell)\n'''\n"
    }

    /// A pair that writes `enter NAME` and `leave NAME` into the log.
    static func pair(_ name: String = "pair", _ keys: String = "") -> String {
        """
        [[hook]]
        name = "\(name)"
        application = "Alpha*"
        while = "background"
        enter = ["sh", "-c", "echo enter $XPHASE_HOOK >> log"]
        leave = ["sh", "-c", "echo leave $XPHASE_HOOK >> log"]
        \(keys)

        """
    }
}
