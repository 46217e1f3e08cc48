import Glibc

/// What the environment says of the session.
enum Session {
    static var isWayland: Bool {
        variable("WAYLAND_DISPLAY") != nil || variable("XDG_SESSION_TYPE") == "wayland"
    }

    /// nil for a variable that is unset or empty.
    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
