import TestDesktop
import Testing

@testable import System

/// Bytes that are not valid UTF-8 are kept.
@Suite struct SystemStringTests {
    private let path = SystemString(bytes: Array("/home/h".utf8) + [0xE9])

    @Test func bytesAreKeptAndShownRepaired() {
        #expect(path.bytes.last == 0xE9)
        #expect(path.text == nil)
        #expect(path.description == "/home/h\u{FFFD}")
        #expect((path + "/x").bytes == path.bytes + Array("/x".utf8))
        #expect(SystemString(cString: path.cString) == path)
        #expect("\(path)/\(7)" as SystemString == path + "/7")
    }

    @Test func itIsTakenApartAtSlashes() {
        #expect(path.components == ["home", SystemString(bytes: [0x68, 0xE9])])
        #expect(path.directory == "/home")
        #expect(SystemString("/home").directory == "/")
        #expect(SystemString("home").directory == ".")
        #expect(SystemString("/").entry("a") == "/a")
        #expect(SystemString("/a").entry("b") == "/a/b")
    }

    @Test func aShellReadsTheSameBytes() {
        #expect(path.quotedForShell == #"$'/home/h\xe9'"#)
    }

    @Test func variablesAreFoundByTheirWholeNames() {
        let environment = Environment(entries: ["HOMES=a", "HOME" + SystemString("=") + path, "EMPTY="])
        #expect(environment["HOME"] == path)
        #expect(environment["EMPTY"] == nil && environment["HOM"] == nil)
    }

    @Test func theEnvironmentOfAnotherProcessIsReadAsBytes() throws {
        let sleeper = try RunningProgram(
            ["sleep", "60"], environment: ["HOME=" + path], input: [], directory: "/", timeout: nil, at: .zero
        )
        let pid = try #require(sleeper.identity?.pid)
        // The kernel sets it a moment after the program has started.
        #expect(waitUntil { Environment(of: pid)?["HOME"] == path })
        sleeper.signal(at: .zero, isTimeout: false)
        #expect(sleeper.reap() == .stopped)
    }
}
