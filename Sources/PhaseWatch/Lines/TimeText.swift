import Glibc

/// Times as text, without Foundation, whose formatters bring ICU.
package enum TimeText {
    /// `2026-11-20T11:03:41.207113Z`.
    package static func utc(_ time: Timestamp) -> String {
        var seconds = time_t(time.seconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date = "\(parts.tm_year + 1900)-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
        return "\(date)T\(clock(parts)).\(digits(time.nanoseconds / 1000, 6))Z"
    }

    /// `12:03:41.207`, in the time zone of the user.
    package static func local(_ time: Timestamp) -> String {
        var seconds = time_t(time.seconds)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return "\(clock(parts)).\(digits(time.nanoseconds / 1_000_000, 3))"
    }

    /// `252.114`.
    package static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        return "\(milliseconds / 1000).\(digits(milliseconds % 1000, 3))"
    }

    /// `250ms`, `3.2s`, `4m12s`, `2h05m`, `3d04h`.
    package static func short(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        let seconds = milliseconds / 1000
        switch seconds {
        case ..<1: return "\(milliseconds)ms"
        case ..<60: return "\(seconds).\(milliseconds % 1000 / 100)s"
        case ..<3600: return "\(seconds / 60)m\(digits(seconds % 60, 2))s"
        case ..<86_400: return "\(seconds / 3600)h\(digits(seconds % 3600 / 60, 2))m"
        default: return "\(seconds / 86_400)d\(digits(seconds % 86_400 / 3600, 2))h"
        }
    }

    private static func clock(_ parts: tm) -> String {
        "\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):\(digits(parts.tm_sec, 2))"
    }

    private static func digits(_ value: some BinaryInteger, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
