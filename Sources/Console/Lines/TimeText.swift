import Glibc
import System

/// Times as text, without Foundation, whose formatters require ICU.
public enum TimeText {
    /// `2026-11-20T11:03:41.207113Z`.
    public static func utc(_ time: Timestamp) -> String { text { $0.append(utc: time) } }

    /// `12:03:41.207`, in the time zone of the user.
    public static func local(_ time: Timestamp) -> String {
        var (seconds, parts) = (time_t(time.seconds), tm())
        localtime_r(&seconds, &parts)
        return text {
            $0.append(clock: parts)
            $0.append(".")
            $0.append(decimal: time.nanoseconds / 1_000_000, width: 3)
        }
    }

    /// `252.114`.
    public static func seconds(_ duration: Duration) -> String { text { $0.append(seconds: duration) } }

    /// `250ms`, `3.2s`, `4m12s`, `2h05m`, `3d04h`.
    public static func short(_ duration: Duration) -> String {
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

    /// For people: `<1 s`, `45 s`, `12 min`, `6 h 12 min`, `70 h`.
    public static func spoken(_ duration: Duration) -> String {
        let seconds = duration.milliseconds / 1000
        let minutes = (seconds + 30) / 60
        if seconds < 1 { return "<1 s" }
        if seconds < 60 { return "\(seconds) s" }
        if minutes < 60 { return "\(minutes) min" }
        if minutes >= 24 * 60 { return "\((minutes + 30) / 60) h" }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }

    private static func text(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        write(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
