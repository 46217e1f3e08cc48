import Console
import Glibc

/// The places in which a path is looked up, one after the other, through symbolic links.
///
/// It looks at a place only when it is asked for the next one. A watch that is set at each place at once thus
/// misses nothing.
struct PathWalk: Sequence, IteratorProtocol {
    struct Place: Hashable {
        var directory: String
        /// What is looked up in it; nil for all of it.
        var name: String?
        /// Whether this is what the path names, or a symbolic link to it.
        var isEnd: Bool
    }

    /// As many as the kernel follows.
    private static let mostLinks = 40

    private var directory: String
    /// What is to be looked up, the last first.
    private var names: [String]
    /// What was given out and not looked at.
    private var current: String?
    private var links = 0
    private var isOver = false

    init(_ path: String) {
        directory = path.hasPrefix("/") ? "/" : Self.workingDirectory
        names = Self.names(in: path)
    }

    mutating func next() -> Place? {
        if let name = current { enter(name) }
        guard !isOver else { return nil }
        current = names.popLast()
        isOver = current == nil
        return Place(directory: directory, name: current, isEnd: names.isEmpty)
    }

    private mutating func enter(_ name: String) {
        guard name != ".." else {
            directory = parent
            return
        }
        let path = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
        var facts = stat()
        let mode = lstat(path, &facts) == 0 ? facts.st_mode & S_IFMT : 0
        switch mode {
        case S_IFDIR: directory = path
        case S_IFLNK: follow(path)
        default: isOver = true
        }
    }

    private mutating func follow(_ path: String) {
        links += 1
        guard links <= Self.mostLinks, let target = Self.target(of: path) else {
            isOver = true
            return
        }
        if target.hasPrefix("/") { directory = "/" }
        names += Self.names(in: target)
    }

    private var parent: String {
        "/" + directory.split(separator: "/").dropLast().joined(separator: "/")
    }

    private static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }

    private static func names(in path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
    }

    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
