import PhaseWatch
import Testing

@testable import Console

@Suite struct GlobFaultTests {
    @Test(arguments: [
        "mpv", "*", "m?v", "[abc]", "[]a]", "[!]a]", "[a[]", "[[:alpha:]x]", "[[.-.]]", "a]", "\\[", "[\\]]",
        "[[:alpha]", "é[é]",
    ])
    func aGlobHasNone(glob: String) {
        #expect(ApplicationPattern.fault(in: glob) == nil)
    }

    @Test(arguments: [
        ("", "it is empty, and would match nothing"), ("a\\", "it ends in a backslash"),
        ("[", "'[' is not closed"), ("[]", "'[' is not closed"), ("[!]", "'[' is not closed"),
        ("a[bc", "'[' is not closed"), ("[a]b[", "'[' is not closed"), ("[[:alpha:]", "'[' is not closed"),
        ("[a\\]", "'[' is not closed"), ("[a\\", "'[' is not closed"),
    ])
    func whatIsNoGlobSaysWhy(glob: String, fault: String) {
        #expect(ApplicationPattern.fault(in: glob) == fault)
    }
}
