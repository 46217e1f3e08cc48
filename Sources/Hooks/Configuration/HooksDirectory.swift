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

    init(_ path: SystemString) { addHooks(in: path) }

    /// A missing directory has no hooks and no warnings.
    private mutating func addHooks(in path: SystemString) {
        var status = stat()
        guard stat(path.cString, &status) == 0 else {
            if errno != ENOENT && errno != ENOTDIR { warn(path, String(cString: strerror(errno))) }
            return
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return warn(path, "is not a directory") }
        let faults = Trust.faults(of: status, at: path)
        for fault in faults { warn(path, "\(fault); none of its hooks run") }
        guard faults.isEmpty else { return }
        guard let names = path.entryNames else { return warn(path, String(cString: strerror(errno))) }
        for name in names.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            // Hidden files and backup copies of editors are no hooks.
            if !name.hasPrefix(".") && !name.hasSuffix("~") { add(name, in: path) }
        }
    }

    private mutating func warn(_ path: SystemString, _ what: String) {
        warnings.append("\(path.description.escapedForTerminal): \(what)")
    }

    private mutating func add(_ entry: SystemString, in directory: SystemString) {
        let path = directory.entry(entry)
        guard let name = entry.text else { return warn(path, "its name is not UTF-8") }
        var status = stat()
        guard stat(path.cString, &status) == 0 else {
            return warn(path, "cannot be run: \(String(cString: strerror(errno)))")
        }
        if status.st_mode & S_IFMT == S_IFDIR { return }
        let faults = Hook.fault(inName: name).map { [$0] } ?? faults(of: status, at: path)
        for fault in faults { warn(path, fault) }
        guard faults.isEmpty else { return }
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
}
