import Console
import Glibc
import System

/// Times in the lines for people.
extension TimeText {
    /// `12:03:41.207`, in the time zone of the user.
    static func local(_ time: Timestamp) -> String {
        var (seconds, parts) = (time_t(time.seconds), tm())
        localtime_r(&seconds, &parts)
        var text: [UInt8] = []
        text.append(clock: parts)
        text.append(".")
        text.append(decimal: time.nanoseconds / 1_000_000, width: 3)
        return String(decoding: text, as: UTF8.self)
    }

    /// `250ms`, `3.2s`, `4m12s`, `2h05m`, `3d04h`.
    static func short(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        let seconds = milliseconds / 1000
        func digits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        switch seconds {
        case ..<1: return "\(milliseconds)ms"
        case ..<60: return "\(seconds).\(milliseconds % 1000 / 100)s"
        case ..<3600: return "\(seconds / 60)m\(digits(seconds % 60))s"
        case ..<86_400: return "\(seconds / 3600)h\(digits(seconds % 3600 / 60))m"
        default: return "\(seconds / 86_400)d\(digits(seconds % 86_400 / 3600))h"
        }
    }
}
