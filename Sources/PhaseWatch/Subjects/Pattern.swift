import Glibc
import Scenes

/// What names applications, by their class name and then by their instance names, and other texts of windows: a glob, or
/// between slashes a regular expression. Upper and lower case are alike.
///
/// Globs are those of fnmatch(3): `*`, `?` and `[abc]` for characters of UTF-8, whatever the locale of the process; ranges
/// such as `[a-z]` only within ASCII, which is as far as the C library knows an order. They match the whole of a text.
/// Regular expressions, `/^mozilla|chrom/`, are the extended ones of regex(7), without back-references: these can need
/// time that grows exponentially with a title, which any window may set. They match any part of a text.
public struct Pattern: Hashable, Sendable {
    /// As it was written.
    public let text: String
    private let expression: RegularExpression?
    /// Nothing in it stands for anything but itself.
    public let isName: Bool
    /// The same, and it is ASCII.
    private let isPlain: Bool

    /// Takes a glob, or a regular expression between slashes. One with a fault matches nothing; see `fault(in:)`.
    public init(_ text: String) {
        self.text = text
        expression = Self.inSlashes(text).flatMap { try? RegularExpression($0) }
        isName = Self.inSlashes(text) == nil && !text.utf8.contains(where: Self.special.contains)
        isPlain = isName && text.isASCII
    }

    public static func == (left: Pattern, right: Pattern) -> Bool { left.text == right.text }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Whether it matches a text.
    public func matches(_ text: String) -> Bool {
        if let expression { return expression.matches(text) }
        if isPlain && text.isASCII { return self.text.equalsIgnoringCase(text) }
        return Locale.inUTF8 { fnmatch(self.text, text, Self.ignoringCase) == 0 }
    }

    /// Whether a change is about an application that this names.
    public func matches(_ change: Change) -> Bool {
        matches(change.application) || matchesInstance(of: change)
    }

    /// Whether an instance name of what a change is about matches.
    public func matchesInstance(of change: Change) -> Bool {
        switch change.subject {
        case .scene: change.group.map(matches) ?? false
        case .group(let members), .application(let members): members.groups.contains(where: matches)
        }
    }

    private static let special = "*?[\\".utf8

    /// FNM_CASEFOLD of glibc's fnmatch.h, which is hidden from Swift.
    private static let ignoringCase: Int32 = 1 << 4

    /// The regular expression that a text is; nil for a glob.
    private static func inSlashes(_ text: String) -> Substring? {
        text.utf8.count > 1 && text.hasPrefix("/") && text.hasSuffix("/") ? text.dropFirst().dropLast() : nil
    }
}

/// As its text.
extension Pattern: Codable {
    /// Reads a text; see `fault(in:)`.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension String {
    /// Without NUL, which ends a text for fnmatch(3).
    fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 && $0 != 0 } }

    /// Whether another text of ASCII differs in case at most.
    fileprivate func equalsIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { $0.lowercased == $1.lowercased }
    }
}

extension UInt8 {
    fileprivate var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}

extension Pattern {
    /// What is wrong with a text as a pattern, as the end of a sentence about it; nil for nothing.
    public static func fault(in text: String) -> String? {
        guard let expression = inSlashes(text) else {
            return globFault(in: text).map { "is no glob: \($0)" }
        }
        do throws(RegularExpression.Fault) {
            _ = try RegularExpression(expression)
            return nil
        } catch {
            return "is no regular expression: \(error.text)"
        }
    }

    /// fnmatch(3) has no errors: it takes a '[' without its ']' for the character itself, and matches nothing
    /// where the last backslash escapes nothing.
    private static func globFault(in glob: String) -> String? {
        var rest = Substring(glob).unicodeScalars
        if rest.isEmpty { return "it is empty, and would match nothing" }
        while let character = rest.popFirst() {
            if character == "\\" && rest.popFirst() == nil { return "it ends in a backslash" }
            if character == "[" && !rest.dropBrackets() { return "'[' is not closed" }
        }
        return nil
    }
}

extension Substring.UnicodeScalarView {
    /// Drops the rest of `[abc]`; false if it has no end.
    fileprivate mutating func dropBrackets() -> Bool {
        if first == "!" || first == "^" { removeFirst() }
        // A ']' that comes first stands for itself.
        var isFirst = true
        while let character = popFirst() {
            if character == "]" && !isFirst { return true }
            isFirst = false
            if character == "\\" { _ = popFirst() }
            if character == "[", let kind = first, [":", ".", "="].contains(kind) { dropClass(kind) }
        }
        return false
    }

    /// Drops the rest of `[:alpha:]`, if it is one.
    private mutating func dropClass(_ kind: Unicode.Scalar) {
        var ahead = dropFirst()
        while let character = ahead.popFirst() {
            if character == kind && ahead.first == "]" {
                self = ahead.dropFirst()
                return
            }
        }
    }
}

/// The locale whose characters are those of UTF-8, for the C library's functions that compare text.
enum Locale {
    /// Made once, and never changed. Where a system has no such locale, only the letters of ASCII are folded.
    private nonisolated(unsafe) static let utf8 = newlocale(characters, "C.UTF-8", nil)

    /// LC_CTYPE_MASK of glibc's locale.h, a macro that Swift does not import.
    private static let characters: Int32 = 1 << LC_CTYPE

    static func inUTF8<Result>(_ body: () -> Result) -> Result {
        guard let utf8 else { return body() }
        let old = uselocale(utf8)
        defer { uselocale(old) }
        return body()
    }
}
