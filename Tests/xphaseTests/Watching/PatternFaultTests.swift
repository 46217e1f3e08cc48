import PhaseWatch
import Testing

@testable import Console

@Suite struct PatternFaultTests {
    @Test(arguments: [
        "mpv", "*", "m?v", "[abc]", "[]a]", "[!]a]", "[a[]", "[[:alpha:]x]", "[[.-.]]", "a]", "\\[", "[\\]]",
        "[[:alpha]", "é[é]",
    ])
    func aGlobHasNone(glob: String) {
        #expect(Pattern.fault(in: glob) == nil)
    }

    @Test(arguments: [
        ("", "it is empty, and would match nothing"), ("a\\", "it ends in a backslash"),
        ("[", "'[' is not closed"), ("[]", "'[' is not closed"), ("[!]", "'[' is not closed"),
        ("a[bc", "'[' is not closed"), ("[a]b[", "'[' is not closed"), ("[[:alpha:]", "'[' is not closed"),
        ("[a\\]", "'[' is not closed"), ("[a\\", "'[' is not closed"),
    ])
    func whatIsNoGlobSaysWhy(glob: String, fault: String) {
        #expect(Pattern.fault(in: glob) == "is not a valid glob: \(fault)")
    }

    @Test(arguments: [
        "/a/", "/a/b/", "/^(a|b)+$/", "/[[:alpha:]]{2,5}/", "/é?/", "/[]\\]/", "/a)/", "/)))))))))))))))/",
        "/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/",
    ])
    func aRegularExpressionHasNone(text: String) {
        #expect(Pattern.fault(in: text) == nil)
    }

    @Test(arguments: [
        ("//", "it is empty, and would match everything"),
        ("/(a/", "Unmatched ( or \\("), ("/(a)[b/", "Unmatched [, [^, [:, [., or [="),
        ("/x[z-a]/", "Invalid range end"), ("/a|*b/", "Invalid preceding regular expression"),
        ("/a{3,2}/", "Invalid content of \\{\\}"), ("/ab\\/", "Trailing backslash"),
        ("/(a)\\1/", "back-references such as \\1 are not supported"),
        ("/\(String(repeating: "é", count: 201))/", "it is longer than 200 characters"),
    ])
    func whatIsNoRegularExpressionSaysWhy(text: String, fault: String) {
        #expect(Pattern.fault(in: text) == "is not a valid regular expression: \(fault)")
        #expect(!Pattern(text).matches("a"))
    }
}
