import CLinux
import Glibc

/// What the environment says of the session.
enum Session {
    /// nil for a variable that is unset or empty.
    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Every variable, each NAME=VALUE.
    static var entries: [String] {
        var entries: [String] = []
        var next = linux_environment()
        while let entry = next?.pointee {
            entries.append(String(cString: entry))
            next = next?.advanced(by: 1)
        }
        return entries
    }

    /// The variables by their names.
    static var variables: [String: String] {
        entries.reduce(into: [:]) { variables, entry in
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            variables[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
        }
    }

    /// The user's home, where hooks work; the root directory if there is none to work in.
    static var home: String {
        variable("HOME").flatMap { access($0, X_OK) == 0 ? $0 : nil } ?? "/"
    }
}
