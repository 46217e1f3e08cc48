import Glibc

/// Reads lines from a descriptor, each with a deadline.
public final class LineReader {
    private let descriptor: Int32
    /// The pipe that the descriptor belongs to, if the test created it.
    private let pipe: Pipe?
    private var bytes: [UInt8] = []
    private var isAtEnd = false

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        pipe = nil
    }

    init(_ pipe: Pipe) {
        descriptor = pipe.reading
        self.pipe = pipe
    }

    deinit {
        close()
    }

    /// Closes the reading end, so that the writer gets EPIPE.
    public func close() {
        guard !isAtEnd else { return }
        isAtEnd = true
        if let pipe { pipe.closeReading() } else { Glibc.close(descriptor) }
    }

    /// Returns the next line without its newline; nil at the end of the stream.
    ///
    /// - Throws: `Failure` if no line arrives in time.
    public func next(within deadline: Duration = .patience) throws -> String? {
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes.removeFirst(end + 1) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            if isAtEnd {
                defer { bytes = [] }
                return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
            }
            guard try fill(within: deadline) else { throw Failure.late("no line came", deadline) }
        }
    }

    /// Returns all lines up to the end of the stream.
    public func rest(within deadline: Duration = .patience) throws -> [String] {
        var lines: [String] = []
        while let line = try next(within: deadline) { lines.append(line) }
        return lines
    }

    private func fill(within deadline: Duration) throws -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let parts = deadline.components
        let milliseconds = Int32(parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000)
        guard poll(&request, 1, milliseconds) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0 { bytes.append(contentsOf: buffer[..<count]) } else { close() }
        return true
    }
}

extension Program {
    /// Waits for a line on stderr that contains a text, and returns the line.
    @discardableResult
    public func waitForError(_ text: String) throws -> String {
        var lines: [String] = []
        do {
            while let line = try errors.next() {
                if line.contains(text) { return line }
                lines.append(line)
            }
        } catch {
            lines.append("\(error)")
        }
        throw Failure("no line contains '\(text)', but there are \(lines)")
    }
}
