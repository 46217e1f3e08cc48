import Console
import Glibc
import PhaseWatch
import System

/// The executables in hooks.d.
struct HooksDirectory {
    /// Sorted by the bytes of their names.
    private(set) var hooks: [Hook] = []
    /// Entries that do not run, each with its path and the reason.
    private(set) var warnings: [String] = []

    /// A missing directory has no hooks and no warnings.
    init(_ path: SystemString) {
        var status = stat()
        if stat(path.cString, &status) != 0 {
            if errno != ENOENT && errno != ENOTDIR { warn(path, String(cString: strerror(errno))) }
        } else if status.st_mode & S_IFMT != S_IFDIR {
            warn(path, "is not a directory")
        } else {
            let faults = Trust.faults(of: status, at: path)
            for fault in faults { warn(path, "\(fault); none of its hooks run") }
            if faults.isEmpty { addHooks(in: path) }
        }
    }

    private mutating func warn(_ path: SystemString, _ what: String) {
        warnings.append("\(path.description.escapedForTerminal): \(what)")
    }

    private mutating func addHooks(in directory: SystemString) {
        for name in names(in: directory) { add(name, in: directory) }
    }

    private mutating func add(_ name: String, in directory: SystemString) {
        let path = directory + "/\(name)"
        var status = stat()
        guard stat(path.cString, &status) == 0 else {
            return warn(path, "cannot be run: \(String(cString: strerror(errno)))")
        }
        if status.st_mode & S_IFMT == S_IFDIR { return }
        let faults = Hook.fault(inName: name).map { [$0] } ?? faults(of: status, at: path)
        guard faults.isEmpty else {
            for fault in faults { warn(path, fault) }
            return
        }
        var hook = Hook(name: Hook.directoryPrefix + name, reaction: .run(.arguments([path])))
        hook.origin = .directory
        hooks.append(hook)
    }

    private func faults(of status: stat, at path: SystemString) -> [String] {
        guard status.st_mode & S_IFMT == S_IFREG else { return ["is not a regular file"] }
        guard access(path.cString, X_OK) == 0 else {
            return ["is not executable: chmod +x \(path.quotedForShell.escapedForTerminal)"]
        }
        return Trust.faults(of: status, at: path)
    }

    /// Returns the names of all entries but hidden files and backup copies of editors.
    private mutating func names(in path: SystemString) -> [String] {
        guard let entries = path.entryNames else {
            warn(path, String(cString: strerror(errno)))
            return []
        }
        var names: [String] = []
        for entry in entries {
            guard let name = entry.text else {
                warn(path + "/" + entry, "its name is not UTF-8")
                continue
            }
            if !name.hasPrefix(".") && !name.hasSuffix("~") { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
