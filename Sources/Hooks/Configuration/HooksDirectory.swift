import Console
import Glibc
import PhaseWatch

/// What is in hooks.d.
struct HooksDirectory {
    /// In the order of the names, byte by byte.
    private(set) var hooks: [Hook] = []
    /// What does not run though it may be meant to, each behind its path.
    private(set) var warnings: [String] = []

    /// A directory that is not there has no hooks.
    init(_ path: String) {
        var status = stat()
        if stat(path, &status) != 0 {
            if errno != ENOENT && errno != ENOTDIR { warn(path, String(cString: strerror(errno))) }
        } else if status.st_mode & S_IFMT != S_IFDIR {
            warn(path, "is no directory")
        } else if let reason = Trust.refusal(of: status, at: path) {
            warn(path, "\(reason); none of its hooks run")
        } else {
            for name in names(in: path) { add(name, in: path) }
        }
    }

    private mutating func warn(_ path: String, _ what: String) {
        warnings.append("\(path.escapedForTerminal): \(what)")
    }

    private mutating func add(_ name: String, in directory: String) {
        let path = "\(directory)/\(name)"
        var status = stat()
        guard stat(path, &status) == 0 else {
            return warn(path, "cannot be run: \(String(cString: strerror(errno)))")
        }
        if status.st_mode & S_IFMT == S_IFDIR { return }
        if let reason = Hook.fault(inName: name) ?? refusal(of: status, at: path) {
            return warn(path, reason)
        }
        var hook = Hook(name: Hook.directoryPrefix + name, reaction: .run(.arguments([path])))
        hook.origin = .directory
        hooks.append(hook)
    }

    private func refusal(of status: stat, at path: String) -> String? {
        guard status.st_mode & S_IFMT == S_IFREG else { return "is no regular file" }
        guard access(path, X_OK) == 0 else {
            return "is not executable: chmod +x \(path.quotedForShell.escapedForTerminal)"
        }
        return Trust.refusal(of: status, at: path)
    }

    /// Those that are meant to run: not hidden, and no copies that an editor keeps.
    private mutating func names(in path: String) -> [String] {
        guard let directory = opendir(path) else {
            warn(path, String(cString: strerror(errno)))
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                warn("\(path)/\(String(decoding: bytes, as: UTF8.self))", "its name is not UTF-8")
                continue
            }
            if !name.hasPrefix(".") && !name.hasSuffix("~") { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
