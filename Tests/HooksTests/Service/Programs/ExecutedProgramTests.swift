import System
import Testing

@testable import Service

@Suite struct ExecutedProgramTests {
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
        #expect(ExecutedProgram(SystemString("/usr/bin/\(file)"), commandLine: words).script == script)
    }
}
