import Glibc
import Scenes

/// A case-insensitive glob that names applications, by their class name and then by their instance names.
public struct ApplicationPattern: Hashable, Sendable {
    public let glob: String

    public init(_ glob: String) {
        self.glob = glob
    }

    public func matches(_ text: String) -> Bool {
        fnmatch(glob, text, Self.ignoringCase) == 0
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
}
