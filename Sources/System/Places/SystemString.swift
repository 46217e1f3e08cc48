import Glibc

/// A path, an argument or an environment variable as the kernel sees it: bytes without a NUL, in no guaranteed encoding. A
/// `String` would replace bytes that are not UTF-8, and so name another file.
public struct SystemString: Hashable, Codable, Sendable {
    /// The bytes and a NUL, for C functions.
    public let cString: [CChar]

    public init(_ text: String) { cString = Array(text.utf8CString) }

    public init(bytes: some Sequence<UInt8>) {
        cString = bytes.map { CChar(bitPattern: $0) } + [0]
    }

    public init(cString: UnsafePointer<CChar>) {
        self.cString = Array(UnsafeBufferPointer(start: cString, count: strlen(cString) + 1))
    }

    /// Without the NUL.
    public var bytes: [UInt8] { cString.dropLast().map { UInt8(bitPattern: $0) } }

    /// The text; nil if the bytes are not UTF-8.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    public var isEmpty: Bool { cString.count == 1 }

    public func hasPrefix(_ prefix: String) -> Bool { bytes.starts(with: prefix.utf8) }

    public static func + (start: SystemString, end: SystemString) -> SystemString {
        SystemString(bytes: start.bytes + end.bytes)
    }
}

/// For messages: bytes that are not UTF-8 are replaced.
extension SystemString: CustomStringConvertible {
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

/// Interpolation keeps the bytes of the values. There is no `+` with a `String`, which would replace invalid bytes.
extension SystemString: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ text: String) { bytes += text.utf8 }
        public mutating func appendInterpolation(_ value: SystemString) { bytes += value.bytes }
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            bytes += value.description.utf8
        }
    }

    public init(stringLiteral text: String) { self.init(text) }

    public init(stringInterpolation text: StringInterpolation) { self.init(bytes: text.bytes) }
}

/// Paths.
extension SystemString {
    public var isAbsolute: Bool { hasPrefix("/") }

    /// The names between the slashes.
    public var components: [SystemString] {
        bytes.split(separator: UInt8(ascii: "/")).map { SystemString(bytes: $0) }
    }

    public func entry(_ name: SystemString) -> SystemString {
        hasSuffix("/") ? self + name : self + "/" + name
    }

    /// The names of the entries of this directory, in no order; nil if it cannot be opened.
    public var entryNames: [SystemString]? { try? listed() }

    /// Returns the names of the entries of this directory, in no order.
    public func listed() throws(SystemError) -> [SystemString] {
        var opened: OpaquePointer?
        func open() -> Int32 {
            opened = opendir(cString)
            return opened == nil ? -1 : 0
        }
        try SystemError.check("open", open(), path: self)
        guard let directory = opened else { return [] }
        defer { closedir(directory) }
        var names: [SystemString] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                SystemString(bytes: $0.prefix { $0 != 0 })
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    /// The target of the symbolic link at this path; nil if there is none.
    public var linkTarget: SystemString? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            let count = buffer.baseAddress.map { readlink(cString, $0, buffer.count) } ?? 0
            return count > 0 ? SystemString(bytes: UnsafeRawBufferPointer(buffer).prefix(count)) : nil
        }
    }

    /// The path with all symbolic links resolved; nil if it cannot be resolved.
    public var resolved: SystemString? {
        guard let path = realpath(cString, nil) else { return nil }
        defer { free(path) }
        return SystemString(cString: path)
    }

    public func hasSuffix(_ suffix: String) -> Bool {
        bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    public var directory: SystemString {
        let bytes = bytes
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == 0 ? "/" : SystemString(bytes: bytes[..<slash])
    }
}
