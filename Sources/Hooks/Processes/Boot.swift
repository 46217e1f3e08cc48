import Console
import Glibc
import Loop
import PhaseWatch

/// The present run of the system.
public enum Boot {
    /// Another one after each start; nil where there is no /proc.
    public static func id() -> String? {
        let path = "/proc/sys/kernel/random/boot_id"
        let number = open(path, O_RDONLY | O_CLOEXEC)
        let bytes = try? Descriptor("open", number).readAll(path, limit: 4096)
        return bytes.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
    }
}
