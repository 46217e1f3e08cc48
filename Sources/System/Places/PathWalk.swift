import Glibc

/// The steps of path resolution: each component and the directory it is looked up in, through symbolic links. A component
/// is looked up only when the next step is requested.
public struct PathWalk: Sequence, IteratorProtocol {
    public struct Entry: Hashable {
        public var directory: SystemString
        /// The component; nil after the last one, if that is a directory.
        public var name: SystemString?
        /// Whether this is the last component of the path, or of the symbolic link at its end.
        public var isEnd: Bool
    }

    /// The kernel's limit.
    private static let mostLinks = 40

    private var directory: SystemString
    /// The remaining components, in reverse order.
    private var names: [SystemString]
    /// The component that was returned last and not looked up yet.
    private var current: SystemString?
    private var links = 0
    private var isOver = false

    public init(_ path: SystemString) {
        directory = path.isAbsolute ? "/" : SystemString(".").resolved ?? "/"
        names = Self.names(in: path)
    }

    public mutating func next() -> Entry? {
        if let name = current { enter(name) }
        guard !isOver else { return nil }
        current = names.popLast()
        isOver = current == nil
        return Entry(directory: directory, name: current, isEnd: names.isEmpty)
    }

    private mutating func enter(_ name: SystemString) {
        let path = name == ".." ? directory.directory : directory.entry(name)
        var facts = stat()
        let mode = lstat(path.cString, &facts) == 0 ? facts.st_mode & S_IFMT : 0
        if mode == S_IFDIR {
            directory = path
        } else if mode == S_IFLNK, links < Self.mostLinks, let target = path.linkTarget {
            links += 1
            if target.isAbsolute { directory = "/" }
            names += Self.names(in: target)
        } else {
            isOver = true
        }
    }

    private static func names(in path: SystemString) -> [SystemString] {
        path.components.filter { $0 != "." }.reversed()
    }
}
