import CLinux
import Glibc

/// Calls a function with the rights of nobody to files where this process has those of root, in the present thread alone.
public func withoutRoot(_ body: () throws -> Void) rethrows {
    let nobody: uid_t = 65534
    if getuid() == 0 { setfsuid(nobody) }
    defer { if getuid() == 0 { setfsuid(0) } }
    try body()
}
