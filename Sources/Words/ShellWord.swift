extension String {
    /// The text as one word of a shell, as it is where that is enough.
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
