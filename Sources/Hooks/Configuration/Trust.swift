import Console
import Glibc
import PhaseWatch

/// Whether a file says only what its user and root want.
enum Trust {
    /// What speaks against it, and what to do; nil for nothing.
    ///
    /// Who may write its directory can put another file in its place, unless the directory is sticky.
    static func refusal(of status: stat, at path: String) -> String? {
        if let reason = reason(against: status, at: path, "") { return reason }
        for directory in directories(of: path) {
            var status = stat()
            guard stat(directory, &status) == 0, status.st_mode & S_ISVTX == 0 else { continue }
            if let reason = reason(against: status, at: directory, "its directory ") { return reason }
        }
        return nil
    }

    private static func reason(against status: stat, at path: String, _ subject: String) -> String? {
        let user = geteuid()
        let name = path.quotedForShell.escapedForTerminal
        if status.st_uid != user && status.st_uid != 0 {
            let owner = "user \(status.st_uid), neither to you nor to root"
            return "\(subject)belongs to \(owner): chown \(user) \(name)"
        }
        let others = S_IWGRP | S_IWOTH
        return status.st_mode & others == 0 ? nil : "\(subject)may be written by others: chmod go-w \(name)"
    }

    /// Where its name is, and where the file itself is if that name is a symbolic link.
    private static func directories(of path: String) -> Set<String> {
        Set([path, path.resolvingLinks].map(\.directory))
    }
}

extension String {
    /// The same file's path without symbolic links; itself if there is no such file.
    var resolvingLinks: String {
        guard let path = realpath(self, nil) else { return self }
        defer { free(path) }
        return String(cString: path)
    }

    /// The path of what holds the file.
    fileprivate var directory: String {
        let name = utf8.lastIndex(of: UInt8(ascii: "/"))
        guard let name else { return "." }
        return name == startIndex ? "/" : String(self[..<name])
    }
}
