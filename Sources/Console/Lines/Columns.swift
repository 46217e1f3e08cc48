/// Text widths in terminal columns: two for East Asian characters, none for combining characters.
extension String {
    public var columnCount: Int { unicodeScalars.reduce(0) { $0 + $1.columnCount } }

    public func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columnCount))
    }

    public func padded(leftTo width: Int) -> String {
        String(repeating: " ", count: max(0, width - columnCount)) + self
    }

    public var withoutSpacesAtTheEnd: String {
        utf8.lastIndex { $0 != UInt8(ascii: " ") }.map { String(self[...$0]) } ?? ""
    }

    /// Returns as much of the text as fits, with an ellipsis if it was cut.
    public func fitted(toColumns width: Int) -> String {
        if utf8.count <= width || columnCount <= width { return self }
        var (shown, used) = ("", 0)
        for character in self {
            used += String(character).columnCount
            if used >= width { break }
            shown.append(character)
        }
        return width > 0 ? shown + "…" : ""
    }
}

extension Unicode.Scalar {
    /// 0 for combining characters, 2 for East Asian characters and pictures.
    fileprivate var columnCount: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
