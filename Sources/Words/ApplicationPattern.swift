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
