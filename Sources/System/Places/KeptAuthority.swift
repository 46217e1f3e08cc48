import Glibc

/// A copy of the X authority file, which XCB uses from now on. It reads the file for each connection, and its disk
/// may not answer by then.
public final class KeptAuthority {
    private static let limit = 1 << 20

    private let file: Descriptor

    /// Reads the file. Must be called before another thread starts. The variables of other programs must be those of
    /// `environment`, since the copy ends with this process.
    ///
    /// - Returns: nil if the file has to be read again each time.
    public init?(_ environment: Environment) {
        let path = environment["XAUTHORITY"] ?? environment["HOME"].map { $0 + "/.Xauthority" }
        // Without the file, the copy is empty: the server has accepted this user without it.
        let bytes = path?.bytesOfFile(limit: Self.limit)
        if bytes == nil, let path, access(path.cString, F_OK) == 0 { return nil }
        guard let file = try? Descriptor.memory(bytes ?? []) else { return nil }
        let name = "/proc/self/fd/\(file.number)"
        guard access(name, R_OK) == 0, setenv("XAUTHORITY", name, 1) == 0 else { return nil }
        self.file = file
    }
}
