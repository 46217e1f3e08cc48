import Console
import Glibc
import System

/// A check that only the user and root can change or replace a file.
enum Trust {
    private static let others = S_IWGRP | S_IWOTH

    /// Returns every reason not to trust a file, each with the command that removes it.
    ///
    /// A user who can write to a directory on the path, or owns a symbolic link on it, can make the path lead to
    /// another file. In a sticky directory only the owner of an entry can replace it.
    ///
    /// - Parameter status: The result of stat(2) for the path.
    static func faults(of status: stat, at path: SystemString) -> [String] {
        var faults = faults("", status, path)
        var known: Set<SystemString> = []
        for place in PathWalk(path) {
            guard let name = place.name else { continue }
            var status = stat()
            if known.insert(place.directory).inserted, lstat(place.directory.cString, &status) == 0 {
                if status.st_mode & S_ISVTX != 0 { status.st_mode &= ~others }
                faults += self.faults("a directory on its path ", status, place.directory)
            }
            let entry = place.directory.entry(name)
            if lstat(entry.cString, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
                // Linux ignores the mode of a link.
                status.st_mode &= ~others
                faults += self.faults("a symbolic link on its path ", status, entry)
            }
        }
        return faults
    }

    /// Returns what lets this user read a file that it may not read.
    static func remedy(forUnreadable path: SystemString) -> String {
        let closed = PathWalk(path).lazy.map(\.directory).first { access($0.cString, X_OK) != 0 }
        let place = closed ?? path
        let name = place.quotedForShell.escapedForTerminal
        var status = stat()
        guard stat(place.cString, &status) == 0, status.st_uid == geteuid() else {
            return "\(name) belongs to another user: use a file of your own"
        }
        return "chmod u+\(closed == nil ? "r" : "x") \(name)"
    }

    private static func faults(_ subject: String, _ status: stat, _ path: SystemString) -> [String] {
        let user = geteuid()
        let name = path.quotedForShell.escapedForTerminal
        var faults: [String] = []
        if status.st_uid != user && status.st_uid != 0 {
            let owner = "user \(status.st_uid), neither to you nor to root"
            // A directory may be the home of somebody.
            let remedy =
                switch status.st_mode & S_IFMT {
                case S_IFDIR: "move the file out of \(name)"
                case S_IFLNK: "chown -h \(user) \(name)"
                default: "chown \(user) \(name)"
                }
            faults.append("\(subject)belongs to \(owner): \(remedy)")
        }
        if status.writableByOthers != 0 {
            faults.append("\(subject)is writable by others: chmod go-w \(name)")
        }
        return faults
    }
}
