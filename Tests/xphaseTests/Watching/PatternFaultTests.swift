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
        #expect(Pattern.fault(in: glob) == "is no glob: \(fault)")
    }

    @Test(arguments: [
        "/a/", "/a/b/", "/^(a|b)+$/", "/[[:alpha:]]{2,5}/", "/[\\1]/", "/é?/", "/[]\\]/", "/a)/",
        "/(a)+(a)+(a)+(a)+(a)+(a)+(a)+(a)+(a)+(a)+(a)+(a)+(a)+(a)+/", "/(a{90}b){20}(c{9})?/",
        "/)))))))))))))))/",
        "/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/",
    ])
    func aRegularExpressionHasNone(text: String) {
        #expect(Pattern.fault(in: text) == nil)
    }

    @Test(arguments: [
        ("//", "it is empty, and would match everything"),
        ("/(a/", "Unmatched ( or \\(, at character 1"), ("/é(b/", "Unmatched ( or \\(, at character 2"),
        ("/(a)[b/", "Unmatched [, [^, [:, [., or [=, at character 4"),
        ("/x[z-a]/", "Invalid range end, at character 2"),
        ("/a|*b/", "Invalid preceding regular expression, at character 3"),
        ("/a{3,2}/", "Invalid content of \\{\\}, at character 2"),
        ("/ab\\/", "Trailing backslash, at character 3"),
        ("/(a)\\1/", "back-references such as \\1 have no bounds in time, at character 4"),
        ("/^(mozilla|chrom[e)$/", "Unmatched [, [^, [:, [., or [=, at character 16"),
        ("/(ab\\/", "Trailing backslash, at character 4"), ("/(a(b)/", "Unmatched ( or \\(, at character 1"),
        ("/(a|*b)/", "Invalid preceding regular expression, at character 4"),
        (
            "/((a{200}){200})b/",
            "it is longer than 2000 characters with its repeats written out, at character 10"
        ),
        (
            "/((a)b{50}){50}/",
            "it is longer than 2000 characters with its repeats written out, at character 11"
        ),
        (
            "/a{9223372036854775807,}/",
            "it is longer than 2000 characters with its repeats written out, at character 2"
        ),
        ("/a{99999}/", "it is longer than 2000 characters with its repeats written out, at character 2"),
        // Each of them doubles what regcomp(3) makes of the one before it.
        (
            "/(a\\++++++++++++++++++++++++++++++++/",
            "it is longer than 2000 characters with its repeats written out, at character 14"
        ),
        (
            "/((((((((((((((a)+)+)+)+)+)+)+)+)+)+)+)+)+)+/",
            "it is longer than 2000 characters with its repeats written out, at character 33"
        ),
        (
            "/a{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}{1,}/",
            "it is longer than 2000 characters with its repeats written out, at character 42"
        ),
        ("/\(String(repeating: "a", count: 1025))/", "it is longer than 1024 bytes"),
    ])
    func whatIsNoRegularExpressionSaysWhyAndWhere(text: String, fault: String) {
        #expect(Pattern.fault(in: text) == "is no regular expression: \(fault)")
        #expect(!Pattern(text).matches("a"))
    }
}
