import Glibc
import System
import TestDesktop
import Testing

@testable import Service

/// Second starts of frozen programs.
struct StartedAgainTests {
    private static let lines: [(file: String, line: String, script: String?)] = [
        ("python3.11", "python3 script.py file.txt", "script.py"),
        ("python3.11", "/usr/bin/python3 -sP /usr/bin/script.py", "script.py"),
        ("python3.11", "python3 -X dev -m package.module -v", "package.module"),
        ("python3.11", "python3", nil),
        ("python3.11", "", nil),
        ("java", "java -Xmx1g -cp a.jar:b.jar org.example.Main file", "org.example.Main"),
        ("java", "java -jar /opt/x/x.jar --flag", "x.jar"),
        ("node", "node --require ./hook.js app.js", "app.js"),
        ("dash", "/bin/sh -e ./run.sh", "run.sh"),
        ("wine64-preloader", "Z:\\home\\me\\Notepad.exe file.txt", "Notepad.exe"),
        ("mono-sgen", "mono app.exe file", "app.exe"),
        ("electron28", "/usr/lib/electron28/electron --no-sandbox /usr/lib/app/app.asar", "app.asar"),
        ("firefox-esr", "firefox-esr https://example.org", nil),
        ("shotwell", "shotwell picture.png", nil),
    ]

    /// A stranger's script is not a second start of the program.
    @Test(arguments: lines) func anInterpreterIsKnownByItsScript(file: String, line: String, script: String?)
    {
        let words = line.split(separator: " ").map(String.init)
        #expect(StartedAgain.script(of: words, executedBy: file) == script)
    }

    /// The file is opened all the time, by programs that are not executed.
    @Test func itLooksOnceASecondAndPostponesNoLook() throws {
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        let starts = StartedAgain(loop, display: ":0")
        // Other tests open the usual one.
        let folder = try TemporaryFolder()
        _ = try Child.run("cp", ["/bin/sleep", folder.path])
        let program = try Child("\(folder.path)/sleep", ["1000"])
        try starts.add("App", roots: [program.pid], at: .zero)
        func open() throws {
            _ = try Descriptor("open", Glibc.open("/proc/\(program.pid)/exe", O_RDONLY | O_CLOEXEC))
            starts.ready(at: now)
        }
        var now = Duration.seconds(5)
        var looks: [Duration] = []
        for _ in 1...400 {
            if now < .seconds(8) { try open() }
            now += .milliseconds(20)
            while let next = starts.next, next <= now {
                _ = starts.look(at: next)
                looks.append(next)
            }
        }
        #expect(looks == [5100, 6100, 7100, 8100, 9100].map { .milliseconds($0) })
        #expect(starts.next == nil)
    }
}
