/// A splitter of a recording into lines while it is read. Earlier lines are not kept.
struct LineSplitter {
    /// The maximum length of a line. Even a look at more windows than a server can have is shorter.
    private static let longest = 32 << 20

    /// The number of the last returned line, from 1; 0 before the first one.
    private(set) var line = 0
    private let read: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var start = 0
    /// The index up to which the buffer has been searched for a newline.
    private var searched = 0

    /// - Parameter read: Returns the next bytes; empty at the end.
    init(_ read: @escaping () throws -> [UInt8]) {
        self.read = read
    }

    /// Returns the next line without its newline; nil at the end. An incomplete line is none.
    ///
    /// - Throws: `RecordingFault`, and the errors of `read`.
    mutating func next() throws -> ArraySlice<UInt8>? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { (start, searched) = (end + 1, end + 1) }
                line += 1
                return buffer[start..<end]
            }
            buffer.removeFirst(start)
            (start, searched) = (0, buffer.count)
            if searched > Self.longest {
                throw RecordingFault(line + 1, "a line is longer than \(Self.longest >> 20) MiB")
            }
            let bytes = try read()
            if bytes.isEmpty { return nil }
            buffer += bytes
        }
    }
}
