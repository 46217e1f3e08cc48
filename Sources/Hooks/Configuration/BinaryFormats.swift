import System

/// The formats for which the kernel starts an interpreter, besides scripts: see binfmt_misc in its documentation.
enum BinaryFormats {
    /// The number of bytes of an executable that the kernel compares.
    static let length = 256
    private static let registered: SystemString = "/proc/sys/fs/binfmt_misc"

    /// Returns whether the kernel knows an executable by its first bytes or by the end of its name.
    static func know(_ path: SystemString, _ bytes: [UInt8]) -> Bool {
        guard registered.entry("status").firstLine == "enabled" else { return false }
        return (registered.entryNames ?? []).contains { name in
            registered.entry(name).contents().map { matches($0, path, bytes) } ?? false
        }
    }

    /// - Parameter format: The file of a format, with lines such as `magic cafebabe`.
    private static func matches(_ format: String, _ path: SystemString, _ bytes: [UInt8]) -> Bool {
        var values: [Substring: Substring] = [:]
        for line in format.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            if let key = words.first { values[key] = words.count > 1 ? words[1] : "" }
        }
        guard values["enabled"] != nil else { return false }
        if let end = values["extension"] { return path.hasSuffix(String(end)) }
        guard let magic = values["magic"].flatMap(Self.bytes), !magic.isEmpty,
            let offset = values["offset"].flatMap({ Int($0) }), (0...length).contains(offset)
        else { return false }
        let mask = values["mask"].flatMap(Self.bytes) ?? magic.map { _ in 0xFF }
        let start = bytes.dropFirst(offset).prefix(magic.count)
        return start.count == magic.count
            && zip(start, zip(magic, mask)).allSatisfy { ($0 ^ $1.0) & $1.1 == 0 }
    }

    /// Returns the bytes of hexadecimal digits; nil for another text.
    private static func bytes(_ digits: Substring) -> [UInt8]? {
        let digits = Array(digits.utf8)
        let pairs = stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
        }
        return pairs.contains(nil) ? nil : pairs.compactMap(\.self)
    }
}
