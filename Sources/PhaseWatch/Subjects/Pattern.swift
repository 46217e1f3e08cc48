import Glibc
import Scenes

/// A pattern for the names of applications (the class name, then the instance names) and for other texts of windows: a
/// glob, or a regular expression between slashes. Matching ignores case.
///
/// Globs are those of fnmatch(3): `*`, `?` and `[abc]`. Ranges such as `[a-z]` work only within ASCII, because the C
/// library defines no order beyond it. A glob must match the whole text, a regular expression any part of it, such as
/// `/^mozilla|chrom/`. These are the extended ones of regex(7), without back-references and many nested repetitions, which
/// can take time that is exponential in the length of a title, which any window may set, and any amount of memory.
package struct Pattern: Hashable, Sendable {
    /// The text of the pattern.
    package let text: String
    private let expression: RegularExpression?
    /// Whether the pattern is a plain name, without special characters.
    package let isName: Bool

    /// Creates a pattern. Does not throw for an invalid one; see `fault(in:)`.
    package init(_ text: String) {
        self.text = text
        expression = Self.inSlashes(text).flatMap { try? RegularExpression($0) }
        isName = Self.inSlashes(text) == nil && !text.utf8.contains(where: Self.special.contains)
    }

    /// Returns a pattern that matches only this text, also where patterns are separated by commas.
    package static func exactly(_ text: String) -> Self {
        // A number would name a window, and a slash begin a regular expression.
        let start = text.first?.isNumber ?? false || text.hasPrefix("/") ? "\\" : ""
        let marks = "*?[\\,".unicodeScalars
        return Self(start + text.unicodeScalars.map { marks.contains($0) ? "\\\($0)" : "\($0)" }.joined())
    }

    package static func == (left: Pattern, right: Pattern) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Returns whether the pattern matches a text.
    package func matches(_ text: String) -> Bool {
        if let expression { return expression.matches(text) }
        return Locale.inUTF8 { fnmatch(self.text, text, Self.ignoringCase) == 0 }
    }

    /// Returns whether the pattern matches the class name or an instance name in a change.
    package func matches(_ change: Change) -> Bool {
        matches(change.application) || change.instances.contains(where: matches)
    }

    /// Returns the patterns in a list with commas. A comma inside slashes or after a backslash separates nothing.
    package static func list(_ text: String) -> [Pattern] { texts(in: text).map { Pattern($0) } }

    /// Returns the texts of the patterns in a list.
    package static func texts(in list: String) -> [String] {
        var texts: [String] = []
        var isOpen = false
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            if isOpen {
                texts[texts.endIndex - 1] += ",\(part)"
            } else {
                texts.append(String(part))
            }
            let last = texts[texts.endIndex - 1]
            isOpen = last.hasSuffix("\\") || last.hasPrefix("/") && inSlashes(last) == nil
        }
        return texts
    }

    private static let special = "*?[\\".utf8

    /// FNM_CASEFOLD of glibc's fnmatch.h, which Swift does not import.
    private static let ignoringCase: Int32 = 1 << 4

    /// Returns the regular expression between the slashes of a text; nil for a glob.
    private static func inSlashes(_ text: String) -> Substring? {
        text.utf8.count > 1 && text.hasPrefix("/") && text.hasSuffix("/") ? text.dropFirst().dropLast() : nil
    }
}

/// Coded as the text. One that is not valid is not decoded.
extension Pattern: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        if let fault = Self.fault(in: text) {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' \(fault)")
        }
        self.init(text)
    }

    package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension Pattern {
    /// Returns why a text is not a valid pattern, as the end of a sentence about the text; nil if it is valid.
    package static func fault(in text: String) -> String? {
        guard let expression = inSlashes(text) else {
            return globFault(in: text).map { "is not a valid glob: \($0)" }
        }
        do throws(RegularExpression.Fault) {
            _ = try RegularExpression(expression)
            return nil
        } catch {
            return "is not a valid regular expression: \(error.text)"
        }
    }

    /// fnmatch(3) has no errors: it treats a '[' without its ']' as the character itself, and matches nothing if the last
    /// backslash escapes nothing.
    private static func globFault(in glob: String) -> String? {
        var rest = Substring(glob).unicodeScalars
        if rest.isEmpty { return "it is empty: write * for every name" }
        while let character = rest.popFirst() {
            if character == "\\" && rest.popFirst() == nil { return "it ends in a backslash" }
            if character == "[" && !rest.dropBrackets(hasEscapes: true) { return "'[' is not closed" }
        }
        return nil
    }
}

extension Substring.UnicodeScalarView {
    /// Drops the rest of `[abc]`; returns false if it has no end.
    ///
    /// - Parameter hasEscapes: Whether a backslash escapes the next character, as in globs but not in regular expressions.
    mutating func dropBrackets(hasEscapes: Bool) -> Bool {
        if first == "!" || first == "^" { removeFirst() }
        // A ']' that comes first stands for itself.
        if first == "]" { removeFirst() }
        while let character = popFirst() {
            if character == "]" { return true }
            if hasEscapes && character == "\\" { _ = popFirst() }
            if character == "[", let kind = first, [":", ".", "="].contains(kind) {
                // The rest of `[:alpha:]`, if it has an end.
                let ends = indices.dropFirst().filter {
                    self[$0] == kind && self[index(after: $0)...].first == "]"
                }
                if let end = ends.first { self = self[end...].dropFirst(2) }
            }
        }
        return false
    }
}
