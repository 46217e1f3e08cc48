import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Console

@Suite struct ShellWordTests {
    @Test(arguments: [
        ("playerctl", "playerctl"), ("CPUWeight=10", "CPUWeight=10"), ("/a/b-c_d.e", "/a/b-c_d.e"),
        ("über", "über"), ("", "''"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("$HOME", "'$HOME'"),
        ("a;b", "'a;b'"), ("~", "'~'"), ("*", "'*'"),
    ])
    func isQuotedWhereItMustBe(text: String, word: String) throws {
        #expect(text.quotedForShell == word)
        let said = try Program.run("sh", ["-c", "printf %s \(word)"]).output.joined()
        #expect(said == text)
    }
}
