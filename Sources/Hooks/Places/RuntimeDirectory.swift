import Console
import Glibc

/// Where files go that end with the session: `$XDG_RUNTIME_DIR/xphase`.
///
/// Where that variable names no directory of the user, it is `/run/user/UID/xphase`, so that a service and a
/// terminal agree; where there is none either, `/tmp/xphase-UID`.
struct RuntimeDirectory {
    var environment: [String: String]
    var user = geteuid()
    var sessions = "/run/user"
    var temporary = "/tmp"

    var path: String {
        let places = [environment["XDG_RUNTIME_DIR"] ?? "", "\(sessions)/\(user)"]
        if let place = places.first(where: isOwn) { return "\(place)/xphase" }
        return "\(temporary)/xphase-\(user)"
    }

    private func isOwn(_ path: String) -> Bool {
        var facts = stat()
        guard path.hasPrefix("/"), stat(path, &facts) == 0 else { return false }
        return facts.st_mode & S_IFMT == S_IFDIR && facts.st_uid == user
    }
}
