import Glibc
import TestDesktop
import Testing

/// A display with openbox, the windows of the test, and the real `xphase run` with a temporary home.
final class HookSession {
    let home: HookHome
    let session: Session
    /// The lines of stderr that have been read.
    private(set) var reported: [String] = []

    /// - Parameters:
    ///   - configuration: The contents of config.toml; nil for no file.
    ///   - prepare: Writes further files before xphase starts.
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
        // xphase must end before the home is deleted, or it would create the home again. A test may have ended it.
        guard (try? run.exitCode(within: .zero)) == nil else { return }
        do { try end() } catch { Issue.record(error) }
        try? run.end()
    }

    var run: Program { session.watch }

    /// Runs a command of xphase on the display, with the home of the service.
    func xphase(_ words: String...) throws -> (code: Int32, output: [String], errors: [String]) {
        try XPhase.run(words, on: session.display, environment: home.environment)
    }

    /// Reads stderr until a line contains the text, and returns that line.
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

    /// Starts a command of xphase in the same way.
    func start(_ words: String...) throws -> Program {
        try XPhase.start(words, on: session.display, environment: home.environment)
    }

    /// Opens and iconifies a window of Alpha, and waits until the hook `pair` has entered.
    @discardableResult
    func enterPair() throws -> TestWindow {
        let window = try session.open("Alpha")
        try session.settle { window.iconify() }
        try home.waitForLines(["enter pair"])
        return window
    }

    /// Delays each fsync(2) of xphase by a minute until the returned program ends.
    ///
    /// - Parameters:
    ///   - call: The system call to delay.
    ///   - file: The options of strace that select the files; empty for all files.
    func slowDisk(_ call: String = "fsync", of file: [String] = []) throws -> Program {
        try inject("delay_enter=60s", into: call, of: file)
    }

    /// Has strace(1) tamper with a system call of xphase until the returned program ends.
    func inject(_ fault: String, into call: String, of file: [String] = []) throws -> Program {
        try trace(["-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):\(fault)"] + file)
    }

    /// Has strace(1) trace xphase until the returned program ends.
    func trace(_ options: [String]) throws -> Program {
        let trace = try Program(
            "strace", ["-f", "-qq", "-p", "\(run.pid)"] + options, package: "strace")
        guard try waitUntil({ try run.status("TracerPid").hasSuffix("\t\(trace.pid)") }) else {
            throw Failure("strace does not trace xphase: \(try trace.errors.rest())")
        }
        return trace
    }

    /// Ends xphase, which first runs all pending `leave`s, and returns its complete stderr.
    @discardableResult
    func end(_ signal: Int32 = SIGTERM) throws -> [String] {
        run.send(signal)
        return try ended()
    }

    /// Waits until xphase exits with this code, and returns its complete stderr.
    func ended(with code: Int32 = 0) throws -> [String] {
        reported += try run.errors.rest()
        let real = try run.exitCode()
        guard real == code else { throw Failure("xphase ended with \(real), not \(code): \(reported)") }
        return reported
    }
}

extension HookSession {
    /// Returns a hook that runs a shell script.
    static func hook(_ name: String = "note", _ keys: String = "application = \"Alpha\"", shell: String)
        -> String
    {
        "[[hook]]\nname = \"\(name)\"\n\(keys)\nshell = '''\n\(shell)\n'''\n"
    }

    /// Returns a pair that writes `enter NAME` and `leave NAME` to the log.
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
