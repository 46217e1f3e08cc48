/// A splitter of a recording into lines while it is read. Earlier lines are not kept.
package struct LineSplitter: Sendable {
    /// The maximum length of a line. Even a look at more windows than a server can have is shorter.
    private static let longest = 32 << 20

    /// The number of the last returned line, from 1; 0 before the first one.
    package private(set) var line = 0
    private var buffer: [UInt8] = []
    private var start = 0
    /// The index up to which the buffer has been searched for a newline.
    private var searched = 0

    package init() {}

    /// Returns the next line without its newline; nil at the end.
    ///
    /// - Parameter read: Returns the next bytes; empty at the end.
    /// - Throws: `RecordingFault`, and the errors of `read`.
    package mutating func next(_ read: () throws -> [UInt8]) throws -> ArraySlice<UInt8>? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { (start, searched) = (end + 1, end + 1) }
                line += 1
                return buffer[start..<end]
            }
            buffer.removeFirst(start)
            (start, searched) = (0, buffer.count)
            if searched > Self.longest {
                throw RecordingFault("a line is longer than \(Self.longest >> 20) MiB").at(line: line + 1)
            }
            let bytes = try read()
            if !bytes.isEmpty {
                buffer += bytes
            } else if buffer.isEmpty {
                return nil
            } else {
                throw RecordingFault(
                    line == 0
                        ? "this is not a recording: it has no complete line"
                        : "it was cut off in the middle of this line"
                ).at(line: line + 1)
            }
        }
    }
}
