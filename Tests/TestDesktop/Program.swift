import Glibc

/// A program that a test starts. deinit kills it if it still runs.
public final class Program {
    public let name: String
    public let pid: pid_t
    /// The lines that the program writes to stdout.
    public let output: LineReader
    /// The lines that the program writes to stderr.
    public let errors: LineReader
    private var status: Int32?
    /// POSIX_SPAWN_SETSID of spawn.h, which is not visible in Swift.
    private static let newSession: Int32 = 0x80

    /// - Parameters:
    ///   - path: A path, or a name to look up in PATH.
    ///   - package: The package to install if the program is missing.
    ///   - environment: Changes to the environment of the test; nil removes a variable.
    ///   - stdin: The program's stdin; /dev/null by default.
    ///   - stdout: The program's stdout, in place of `output`.
    ///   - stderr: The program's stderr, in place of `errors`.
    ///   - terminal: The program's controlling terminal, in place of all three. Ctrl-C typed there reaches the
    ///     program.
    public init(
        _ path: String, _ arguments: [String] = [], package: String = "",
        environment: [String: String?] = [:], stdin: Int32? = nil, stdout: Int32? = nil,
        stderr: Int32? = nil, terminal: Terminal? = nil
    ) throws {
        name = path
        let executable = try Self.find(path, package: package)
        let (output, errors) = (try Pipe(), try Pipe())
        self.output = LineReader(output)
        self.errors = LineReader(errors)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let terminal {
            // The first terminal that a session leader opens becomes its controlling terminal.
            posix_spawn_file_actions_addopen(&actions, 0, terminal.path, O_RDWR, 0)
            for descriptor in [Int32(1), 2] { posix_spawn_file_actions_adddup2(&actions, 0, descriptor) }
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            if let stdin { posix_spawn_file_actions_adddup2(&actions, stdin, 0) }
            posix_spawn_file_actions_adddup2(&actions, stdout ?? output.writing, 1)
            posix_spawn_file_actions_adddup2(&actions, stderr ?? errors.writing, 2)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // nohup(1) may have started the tests with SIGHUP ignored.
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let session = terminal == nil ? 0 : Self.newSession
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session))
        var pid = pid_t()
        let code = Self.withStrings([executable] + arguments) { argv in
            Self.withStrings(Self.variables(environment)) { envp in
                posix_spawn(&pid, executable, &actions, &attributes, argv, envp)
            }
        }
        guard code == 0 else {
            throw Failure("cannot start \(executable): \(String(cString: strerror(code)))")
        }
        self.pid = pid
        output.closeWriting()
        errors.closeWriting()
    }

    deinit {
        guard status == nil else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    public func send(_ signal: Int32) {
        // After the program has been reaped, another process may have its number.
        if status == nil { kill(pid, signal) }
    }

    /// Sends a signal and waits until the program has ended.
    public func end(_ signal: Int32 = SIGKILL) throws {
        send(signal)
        _ = try exitCode()
    }

    /// Waits until the program has ended, and returns its exit code; for a signal, 128 plus its number.
    public func exitCode(within deadline: Duration = .patience) throws -> Int32 {
        if let status { return status }
        var raw: Int32 = 0
        let ended = waitUntil(within: deadline) { waitpid(pid, &raw, WNOHANG) == pid }
        guard ended else { throw Failure.late("\(name) did not end", deadline) }
        let code = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + raw & 0x7F
        status = code
        return code
    }

    /// Runs a program to its end and returns what it wrote.
    ///
    /// - Throws: `Failure` with the program and its arguments if the program takes too long.
    public static func run(
        _ path: String, _ arguments: [String] = [], package: String = "", environment: [String: String?] = [:]
    ) throws -> (code: Int32, output: [String], errors: [String]) {
        let program = try Program(path, arguments, package: package, environment: environment)
        do {
            let output = try program.output.rest()
            let errors = try program.errors.rest()
            return (try program.exitCode(), output, errors)
        } catch let failure as Failure {
            throw Failure("\(([path] + arguments).joined(separator: " ")): \(failure)")
        }
    }

    /// Returns the path of a program.
    ///
    /// - Throws: `Failure` with the name of the package if the program is missing.
    public static func find(_ name: String, package: String) throws -> String {
        if name.contains("/") { return name }
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        for folder in path.split(separator: ":") where access("\(folder)/\(name)", X_OK) == 0 {
            return "\(folder)/\(name)"
        }
        throw Failure("\(name) is missing: apt-get install \(package.isEmpty ? name : package)")
    }

    /// Returns the path of a program of packaging/examples.
    ///
    /// - Parameter variable: The environment variable in which `packaging/test --all` names the program that it has built.
    /// - Throws: `Failure` if it has built none.
    public static func example(_ variable: String) throws -> String {
        guard let path = getenv(variable) else {
            throw Failure("\(variable) names no program: packaging/test --all builds the examples")
        }
        return String(cString: path)
    }

    private static func variables(_ changes: [String: String?]) -> [String] {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let parts = String(cString: entry).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            variables[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
            next += 1
        }
        for (name, value) in changes { variables[name] = value }
        return variables.map { "\($0.key)=\($0.value)" }
    }

    private static func withStrings<Result>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = strings.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else {
                preconditionFailure("an array of one is never empty")
            }
            return body(start)
        }
    }
}

extension Program {
    /// Waits until no thread of the program has woken up for 3 s, and returns whether that happened. Late work of a
    /// window manager may wake the program before.
    public func comesToRest() throws -> Bool {
        try waitUntil {
            let earlier = try switches()
            return try !waitUntil(within: .seconds(3)) { try switches() != earlier }
        }
    }

    /// Returns how often its threads have woken up.
    public func wakeUps() throws -> Int {
        try switches().compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }.reduce(0, +)
    }

    /// Returns the voluntary context switches of each thread.
    private func switches() throws -> [String] {
        try Self.run("sh", ["-c", "grep -h ^voluntary_ctxt_switches /proc/\(pid)/task/*/status"]).output
    }
}
