import Console
import Glibc

/// Whether only its user and root decide what a file says.
enum Trust {
    /// All that speaks against it, and what to do about each.
    ///
    /// Whoever may write a directory on the way to the file, or owns a symbolic link on it, can put another file in its
    /// place. In a sticky directory this takes the owner of the entry.
    ///
    /// - Parameter status: What stat(2) says of what the path leads to.
    static func faults(of status: stat, at path: SystemString) -> [String] {
        var faults = faults("", status, path)
        var known: Set<SystemString> = []
        for place in PathWalk(path) {
            guard let name = place.name else { continue }
            if known.insert(place.directory).inserted { faults += self.faults(ofDirectory: place.directory) }
            if name != ".." { faults += self.faults(ofLink: place.directory.entry(name)) }
        }
        return faults
    }

    private static func faults(ofDirectory path: SystemString) -> [String] {
        var status = stat()
        guard lstat(path.cString, &status) == 0 else { return [] }
        if status.st_mode & S_ISVTX != 0 { status.st_mode &= ~others }
        return faults("a directory on its path ", status, path)
    }

    private static func faults(ofLink path: SystemString) -> [String] {
        var status = stat()
        guard lstat(path.cString, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return [] }
        // The mode of a link means nothing.
        status.st_mode &= ~others
        return faults("a symbolic link on its path ", status, path)
    }

    private static let others = S_IWGRP | S_IWOTH

    private static func faults(_ subject: String, _ status: stat, _ path: SystemString) -> [String] {
        let user = geteuid()
        let name = path.quotedForShell.escapedForTerminal
        var faults: [String] = []
        if status.st_uid != user && status.st_uid != 0 {
            let owner = "user \(status.st_uid), neither to you nor to root"
            let chown = status.st_mode & S_IFMT == S_IFLNK ? "chown -h" : "chown"
            faults.append("\(subject)belongs to \(owner): \(chown) \(user) \(name)")
        }
        if status.st_mode & others != 0 {
            faults.append("\(subject)may be written by others: chmod go-w \(name)")
        }
        return faults
    }
}
