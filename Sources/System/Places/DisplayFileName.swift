/// The name of a display for use in file names: `:0`, `host:10`. All screens of a server share a name; `unix:0` and `:00`
/// become `:0`. Bytes other than letters, digits, `:`, `.`, `-` and `_` are escaped, so two displays never share a name.
public struct DisplayFileName: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// - Parameter display: A name as XOpenDisplay(3) accepts it.
    public init(_ display: String) {
        description = Self.server(of: display).utf8.reduce(into: "") { name, byte in
            if Self.isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || ":.-_".utf8.contains(byte) {
                name.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
    }

    private static func server(of display: String) -> String {
        guard let colon = display.lastIndex(of: ":") else { return display }
        let numbers = display[display.index(after: colon)...]
            .split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.allSatisfy({ $0.utf8.allSatisfy(isDigit) }), let number = numbers.first else {
            return display
        }
        let (host, digits) = (display[..<colon], number.drop { $0 == "0" })
        return (["unix", "unix/"].contains(host) ? "" : host) + ":"
            + (digits.isEmpty ? number.suffix(1) : digits)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
