import Glibc

/// A writer of lines to a descriptor, which never waits for the reader, nor, in a loop, for the disk of a file.
public final class Log {
    /// The number of bytes that a pipe accepts at once when poll(2) reports it as writable.
    private static let chunk = Int(PIPE_BUF)
    /// The maximum number of bytes that may wait; further lines are dropped.
    private static let bound = 4 << 20
    /// The time for which `end` waits for the reader.
    private static let patience = Duration.seconds(1)

    public let descriptor: Int32
    private let line: (String) -> [UInt8]
    private let complain: ((String) -> Void)?
    private var recent = RecentLines()
    private var waiting: ArraySlice<UInt8> = []
    private var lost = 0
    /// errno of a failed write. EPIPE does not count: hooks continue without a reader of their output.
    public private(set) var failure: Int32?
    private weak var loop: EventLoop?
    /// A write to a file: errno, or 0, and what is not written.
    private struct Written {
        var code: Int32 = 0
        var rest: ArraySlice<UInt8>
    }

    /// Writes to a file; nil before `join`, and if the descriptor is not that of a file.
    private var disk: DiskQueue<Written>?

    /// - Parameters:
    ///   - complain: Receives the message about dropped lines; if nil, the reader receives it.
    ///   - line: Returns the bytes of a text.
    public init(
        _ descriptor: Int32, complain: ((String) -> Void)? = nil, line: @escaping (String) -> [UInt8]
    ) {
        self.descriptor = descriptor
        self.complain = complain
        self.line = line
    }

    /// Has the loop watch the descriptor while lines wait.
    public func join(_ loop: EventLoop) {
        self.loop = loop
        if disk == nil, isFile { disk = try? DiskQueue() }
        if let disk { loop.watch(disk.answers.number) { [weak self] in self?.takeWritten() } }
        watch()
    }

    private var isFile: Bool {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    }

    private func takeWritten() {
        let failed = disk?.takeAnswers().last { $0.code != 0 }
        guard let failed else { return flush() }
        failure = failed.code
        // Written again with the next line: the disk may have room then.
        waiting = failed.rest + waiting
    }

    private func submit(to disk: DiskQueue<Written>) {
        if waiting.isEmpty { return }
        disk.submit { [descriptor, waiting] in
            var written = Written(rest: waiting)
            do throws(SystemError) {
                while !written.rest.isEmpty {
                    let count = try SystemError.check(
                        "write", written.rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) })
                    written.rest = written.rest.dropFirst(count)
                }
            } catch {
                written.code = error.code
            }
            return written
        }
        waiting = []
    }

    /// Writes a message. One that comes again and again is only counted: see `RecentLines`.
    public func say(_ text: String) {
        for text in recent.add(text, at: Clock.now()) { add(text) }
        flush()
    }

    public func pass(_ line: String) {
        add(line)
        flush()
    }

    public func flush() {
        if let disk {
            if !disk.isBusy { submit(to: disk) }
        } else {
            while !waiting.isEmpty, hasRoom(within: .zero) { writeSome() }
        }
        if waiting.isEmpty && lost > 0 {
            let text = "\(lost) more lines were lost, since nothing read them"
            lost = 0
            if let complain { complain(text) } else { add(text) }
        }
        watch()
    }

    /// Writes the waiting lines, for at most a second. Must be the last call.
    public func end() {
        for text in recent.end() { add(text) }
        if let disk {
            submit(to: disk)
            disk.finish(within: Self.patience)
            for written in disk.takeAnswers() where written.code != 0 { failure = written.code }
            return
        }
        let end = Clock.now() + Self.patience
        while !waiting.isEmpty, hasRoom(within: end - Clock.now()) { writeSome() }
    }

    private func add(_ text: String) {
        let bytes = line(text)
        if waiting.count + bytes.count > Self.bound { lost += 1 } else { waiting += bytes }
    }

    private func writeSome() {
        let chunk = waiting.prefix(Self.chunk)
        do throws(SystemError) {
            let count = try SystemError.check(
                "write", chunk.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) })
            waiting = waiting.dropFirst(count)
        } catch {
            if error.code == EAGAIN { return }
            if error.code != EPIPE { failure = error.code }
            waiting = []
        }
    }

    private func hasRoom(within time: Duration) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, Int32(max(0, time.milliseconds))) > 0
    }

    private func watch() {
        if disk != nil { return }
        if waiting.isEmpty {
            loop?.forget(descriptor)
        } else {
            loop?.watch(descriptor, for: POLLOUT) { [weak self] in self?.flush() }
        }
    }
}
