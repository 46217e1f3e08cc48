/// Text by the columns that a terminal gives it: two for the characters of East Asia, none for what combines with the one before.
extension String {
    public var columnCount: Int { unicodeScalars.reduce(0) { $0 + $1.columnCount } }

    public func paddedToColumns(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columnCount))
    }

    /// As much of it as has room, and a mark where something is missing.
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
    /// 0 for what combines with the one before, 2 for what East Asian scripts and pictures take.
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
