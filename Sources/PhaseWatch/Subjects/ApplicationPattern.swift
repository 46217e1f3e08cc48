import Glibc
import Scenes

/// A case-insensitive glob that names applications, by their class name and then by their instance names.
///
/// It is that of fnmatch(3): `*`, `?` and `[abc]` for characters of UTF-8, whatever the locale of the
/// process; ranges such as `[a-z]` only within ASCII, which is as far as the C library knows an order.
public struct ApplicationPattern: Hashable, Sendable {
    public let glob: String

    public init(_ glob: String) {
        self.glob = glob
    }

    public func matches(_ text: String) -> Bool {
        Self.inUTF8 { fnmatch(glob, text, Self.ignoringCase) == 0 }
    }

    /// Whether a change is about an application that this names.
    public func matches(_ change: Change) -> Bool {
        if matches(change.application) { return true }
        switch change.subject {
        case .scene: return change.group.map(matches) ?? false
        case .group(let members), .application(let members): return members.groups.contains(where: matches)
        }
    }

    /// FNM_CASEFOLD of glibc's fnmatch.h, which is hidden from Swift.
    private static let ignoringCase: Int32 = 1 << 4

    private static func inUTF8<Result>(_ body: () -> Result) -> Result {
        guard let utf8 else { return body() }
        let old = uselocale(utf8)
        defer { uselocale(old) }
        return body()
    }

    /// Made once, and never changed. Where a system has no such locale, only the letters of ASCII are folded.
    private nonisolated(unsafe) static let utf8 = newlocale(characters, "C.UTF-8", nil)

    /// LC_CTYPE_MASK of glibc's locale.h, a macro that Swift does not import.
    private static let characters: Int32 = 1 << LC_CTYPE
}

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

/// The applications that were told of because a pattern chose them.
///
/// One that is chosen by an instance name stays so when that instance goes, or the last change of it would not
/// be true for long.
public struct FollowedApplications: Sendable {
    private var names: Set<String> = []

    public init() {}

    /// Whether a change of an application is to be told.
    ///
    /// - Parameters:
    ///   - change: What changed.
    ///   - isMatch: The pattern chooses the application now.
    public mutating func takes(_ change: Change, isMatch: Bool) -> Bool {
        let isFollowed = names.contains(change.application)
        if change.kind == .closed {
            names.remove(change.application)
        } else if isMatch {
            names.insert(change.application)
        }
        return isMatch || isFollowed
    }
}
