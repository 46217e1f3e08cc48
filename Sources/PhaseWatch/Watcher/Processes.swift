import System

/// The processes of this host, as /proc describes them.
enum Processes {
    /// Returns the name of the file that a process executes; nil if there is no such process.
    static func executable(of pid: Int32) -> String? {
        SystemString("/proc/\(pid)/exe").linkTarget.flatMap { fileName($0.description) }
            ?? ProcessFolder(pid: pid)?.text("comm")?.split(separator: "\n").first.map(String.init)
    }

    /// Returns how long a process has run, in milliseconds; nil if there is no such process.
    static func age(of pid: Int32) -> Int64? {
        ProcessIdentity(pid: pid).map { (Clock.sinceBoot() - $0.started).milliseconds }
    }

    /// Returns whether a process may have a different host name than this one: it is in another UTS namespace.
    static func isRenamed(_ pid: Int32) -> Bool {
        let name = SystemString("/proc/\(pid)/ns/uts").linkTarget
        return name != nil && name != SystemString("/proc/self/ns/uts").linkTarget
    }

    private static func fileName(_ path: String) -> String? {
        let deleted = " (deleted)"
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let real = name.hasSuffix(deleted) ? String(name.dropLast(deleted.count)) : name
        return real.isEmpty ? nil : real
    }
}
