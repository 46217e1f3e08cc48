extension String {
    /// The text as one shell word, quoted only if necessary.
    public var quotedForShell: String {
        let marks = "%+,-./:=@_".unicodeScalars
        let isPlain = unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
                || marks.contains($0)
        }
        guard isEmpty || !isPlain else { return self }
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

extension SystemString {
    /// One shell word that expands to the same bytes.
    public var quotedForShell: String {
        if let text { return text.quotedForShell }
        let bytes = bytes.map { byte in
            (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\")
                ? String(Unicode.Scalar(byte)) : "\\x" + String(byte, radix: 16)
        }
        return "$'\(bytes.joined())'"
    }
}
