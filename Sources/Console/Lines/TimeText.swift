import Glibc
import System

/// Times as text, without Foundation, whose formatters require ICU.
public enum TimeText {
    /// `2026-11-20T11:03:41.207113Z`.
    public static func utc(_ time: Timestamp) -> String { text { $0.append(utc: time) } }

    /// `252.114`.
    public static func seconds(_ duration: Duration) -> String { text { $0.append(seconds: duration) } }

    private static func text(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        write(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
