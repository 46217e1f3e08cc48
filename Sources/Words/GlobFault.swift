extension ApplicationPattern {
    /// What is wrong with a text as a glob; nil for nothing.
    ///
    /// fnmatch(3) has no errors: it takes a '[' without its ']' for the character itself, and matches nothing
    /// where the last backslash escapes nothing.
    public static func fault(in glob: String) -> String? {
        var rest = Substring(glob).unicodeScalars
        if rest.isEmpty { return "it is empty, and would match nothing" }
        while let character = rest.popFirst() {
            if character == "\\" && rest.popFirst() == nil { return "it ends in a backslash" }
            if character == "[" && !dropBrackets(&rest) { return "'[' is not closed" }
        }
        return nil
    }

    /// Drops the rest of `[abc]`; false if it has no end.
    private static func dropBrackets(_ rest: inout Substring.UnicodeScalarView) -> Bool {
        if rest.first == "!" || rest.first == "^" { rest.removeFirst() }
        // A ']' that comes first stands for itself.
        var isFirst = true
        while let character = rest.popFirst() {
            if character == "]" && !isFirst { return true }
            isFirst = false
            if character == "\\" { _ = rest.popFirst() }
            if character == "[", let kind = rest.first, [":", ".", "="].contains(kind) {
                dropClass(kind, &rest)
            }
        }
        return false
    }

    /// Drops the rest of `[:alpha:]`, if it is one.
    private static func dropClass(_ kind: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView) {
        var ahead = rest.dropFirst()
        while let character = ahead.popFirst() {
            if character == kind && ahead.first == "]" {
                rest = ahead.dropFirst()
                return
            }
        }
    }
}
