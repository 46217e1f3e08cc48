import Console
import Glibc

/// The places in which a path is looked up, one after the other, through symbolic links.
///
/// It looks at a place only when it is asked for the next one. A watch that is set at each place at once thus
/// misses nothing.
struct PathWalk: Sequence, IteratorProtocol {
    struct Place: Hashable {
        var directory: SystemString
        /// What is looked up in it; nil for all of it.
        var name: SystemString?
        /// Whether this is what the path names, or a symbolic link to it.
        var isEnd: Bool
    }

    /// As many as the kernel follows.
    private static let mostLinks = 40

    private var directory: SystemString
    /// What is to be looked up, the last first.
    private var names: [SystemString]
    /// What was given out and not looked at.
    private var current: SystemString?
    private var links = 0
    private var isOver = false

    init(_ path: SystemString) {
        directory = path.isAbsolute ? "/" : Self.workingDirectory
        names = Self.names(in: path)
    }

    mutating func next() -> Place? {
        if let name = current { enter(name) }
        guard !isOver else { return nil }
        current = names.popLast()
        isOver = current == nil
        return Place(directory: directory, name: current, isEnd: names.isEmpty)
    }

    private mutating func enter(_ name: SystemString) {
        guard name != ".." else {
            directory = parent
            return
        }
        let path = directory.entry(name)
        var facts = stat()
        let mode = lstat(path.cString, &facts) == 0 ? facts.st_mode & S_IFMT : 0
        switch mode {
        case S_IFDIR: directory = path
        case S_IFLNK: follow(path)
        default: isOver = true
        }
    }

    private mutating func follow(_ path: SystemString) {
        links += 1
        guard links <= Self.mostLinks, let target = Self.target(of: path) else {
            isOver = true
            return
        }
        if target.isAbsolute { directory = "/" }
        names += Self.names(in: target)
    }

    private var parent: SystemString {
        directory.components.dropLast().reduce("/") { $0.entry($1) }
    }

    private static var workingDirectory: SystemString {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return SystemString(cString: path)
    }

    private static func names(in path: SystemString) -> [SystemString] {
        path.components.filter { $0 != "." }.reversed()
    }

    private static func target(of path: SystemString) -> SystemString? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path.cString, &bytes, bytes.count)
        return count > 0 ? SystemString(bytes: bytes[..<count].map { UInt8(bitPattern: $0) }) : nil
    }
}
