import Glibc
import System
import TestDesktop
import Testing

@testable import xphase

/// The tests of hooks and of the bus on a desktop.
@Suite struct DesktopTests {}

/// The tests that need more programs than `packaging/test` installs without --all.
@Suite struct ProgramTests {}

/// The tests that need root: to make control groups, namespaces and mounts, and to act as another user. Only
/// `packaging/test --all` runs them.
@Suite struct RootTests {}

/// The Python environment that packaging/test installs from PyPI.
enum PyPI {
    static let python = "\(XPhase.project)/.build/python/bin/python"
    /// The packages to install where they are missing.
    static let packages =
        "python3-venv, and varlink, asyncvarlink, aw-server and aw-client of PyPI: run packaging/test --all"
}

/// The program under test, built with the tests.
enum XPhase {
    /// The root of the sources.
    static let project = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

    /// The directory of the test runner and of the executable. It is absolute, since some tests start xphase in another
    /// directory.
    private static let folder: String = {
        guard let runner = realpath(CommandLine.arguments[0], nil) else { return "." }
        defer { free(runner) }
        return String(cString: dirname(runner))
    }()
    static let path = "\(folder)/xphase"
    /// A PATH in which a shell finds this xphase by its name.
    static let searchPath = "\(folder):\(getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin")"

    typealias Result = (code: Int32, output: [String], errors: [String])

    static func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

    static func run(_ arguments: [String], on display: VirtualDisplay?, environment: [String: String?] = [:])
        throws -> Result
    {
        try Program.run(path, arguments, environment: variables(display, environment))
    }

    /// Returns the variables that differ. The configuration of whoever runs the tests does not count.
    private static func variables(
        _ display: VirtualDisplay?, _ environment: [String: String?]
    ) -> [String: String?] {
        let variables = display?.environment ?? [:]
        let own = ["XDG_CONFIG_HOME": "/dev/null", "SUDO_UID": nil]
        return variables.merging(own) { $1 }.merging(environment) { $1 }
    }

    /// Runs a command that needs no display, within this process.
    ///
    /// - Parameter environment: The complete environment.
    static func call(_ arguments: [String], environment: [String: String?] = [:]) -> Result {
        var (output, errors) = (Array("".utf8), Array("".utf8))
        var io = CommandIO()
        io.environment = Environment(environment.compactMapValues(\.self))
        io.palette = Palette(isColoured: false)
        io.width = 80
        io.put = { output += $0 }
        io.say = { errors += Diagnostics.line($0) }
        let code = Main.run(arguments, io)
        func lines(_ bytes: [UInt8]) -> [String] {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            return lines.dropLast(lines.last == [] ? 1 : 0).map { String(decoding: $0, as: UTF8.self) }
        }
        return (code, lines(output), lines(errors))
    }

    static func start(
        _ arguments: [String], on display: VirtualDisplay?, environment: [String: String?] = [:],
        stdout: Int32? = nil
    ) throws -> Program {
        try Program(path, arguments, environment: variables(display, environment), stdout: stdout)
    }
}

extension VirtualDisplay {
    /// Runs a line of words for a tool such as xdotool on the display.
    func run(_ line: String) throws {
        let words = XPhase.words(line)
        let package = ["xset", "xrandr"].contains(words[0]) ? "x11-xserver-utils" : words[0]
        let result = try Program.run(
            words[0], Array(words.dropFirst()), package: package, environment: environment)
        if result.code != 0 { throw Failure("\(line): \(result.errors)") }
    }
}

extension Program {
    /// Returns a line of /proc/PID/status, or for `wchan` the kernel function in which the program waits.
    func status(_ name: String) throws -> String {
        let words = name == "wchan" ? ["", "/proc/\(pid)/wchan"] : ["^\(name):", "/proc/\(pid)/status"]
        guard let line = try Program.run("grep", words).output.first else {
            throw Failure("\(self.name) does not run")
        }
        return line
    }

    func descriptors() throws -> [String] { try Program.run("ls", ["/proc/\(pid)/fd"]).output }

    /// The number of open sockets.
    func sockets() throws -> Int {
        try Program.run("find", ["/proc/\(pid)/fd", "-lname", "socket:*"], package: "findutils").output.count
    }

    func children() throws -> [String] {
        try Program.run("cat", ["/proc/\(pid)/task/\(pid)/children"]).output.filter { !$0.isEmpty }
    }

    func residentKilobytes() throws -> Int {
        try Int(status("VmRSS").split(whereSeparator: \.isWhitespace)[1]) ?? 0
    }

    /// Waits until a command with a limit of minutes has read the display, which is when its CLOCK_MONOTONIC timer is set
    /// for that. At first it is the 5 s limit for the server. The timer that detects suspends of the machine is always set.
    func waitForTimer() throws {
        let timers =
            "/^clockid:/ { isMonotonic = $2 == 1 } /^it_value:/ && isMonotonic && substr($2, 2) + 0 >= 60"
        func isSet() throws -> Bool {
            try !Program.run("sh", ["-c", "awk '\(timers)' /proc/\(pid)/fdinfo/*"]).output.isEmpty
        }
        guard try waitUntil(isSet) else { throw Failure("\(name) has set no timer") }
    }
}
