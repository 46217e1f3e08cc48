import Glibc
import PhaseWatch

/// The time since the system started.
package enum Boot {
    /// Another one after each start; nil where there is no /proc.
    package static func id() -> String? {
        let path = "/proc/sys/kernel/random/boot_id"
        let number = open(path, O_RDONLY | O_CLOEXEC)
        let bytes = try? Descriptor("open", number).readAll(path, limit: 4096)
        return bytes.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
    }

    /// How long ago that was: CLOCK_BOOTTIME, which goes on while the machine sleeps, as the start times of
    /// processes do.
    package static func elapsed() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
