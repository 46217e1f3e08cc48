import Recording
import Scenes
import System
import X11

extension PhaseWatcher {
    /// What is to be in a recording, and said about it.
    public struct RecordingOptions: Hashable, Sendable {
        /// The version of the program that makes it.
        public var program: String
        /// Titles and names are replaced by words that say nothing, the same ones by the same.
        public var isRedacted: Bool
        /// Titles of all windows are read; otherwise those of windows without a class are.
        public var hasTitles: Bool
        /// How long the user must touch nothing to be idle, as the watcher was reported; nil for never.
        public var idle: Duration?

        /// Takes all of them.
        ///
        /// - Parameters:
        ///   - program: The version of the program that makes it.
        ///   - isRedacted: Titles and names are replaced.
        ///   - hasTitles: `Details.titles` are read.
        ///   - idle: What the watcher's options say.
        public init(
            program: String, isRedacted: Bool = false, hasTitles: Bool = false, idle: Duration? = nil
        ) {
            self.program = program
            self.isRedacted = isRedacted
            self.hasTitles = hasTitles
            self.idle = idle
        }
    }

    /// Hands over all that is read from now on, look by look, for a `Replay`. To be called before the first `update()`.
    ///
    /// - Parameters:
    ///   - options: What is to be in it.
    ///   - write: Gets whole lines, within the calls of `update()`.
    public func record(_ options: RecordingOptions, into write: @escaping ([UInt8]) -> Void) {
        var header = RecordingHeader()
        header.program = options.program
        header.server = "\(observer.server.vendor) \(observer.server.release)"
        header.extensions = observer.extensions.named
        header.isRedacted = options.isRedacted
        header.hasTitles = options.hasTitles
        header.idle = options.idle.map { Int($0.milliseconds) }
        recorder = Recorder(header, write)
    }

    /// Writes the last line of what `record` has begun.
    public func endRecording() {
        recorder?.end()
        recorder = nil
    }
}

/// Writes what is read of a display.
final class Recorder {
    private var writer: LookWriter
    private let write: ([UInt8]) -> Void

    init(_ header: RecordingHeader, _ write: @escaping ([UInt8]) -> Void) {
        writer = LookWriter(header, at: Clock.nanoseconds(), time: .now())
        self.write = write
    }

    func take(_ desktop: Desktop, touched: [Int32]?, at now: Int64) {
        write(writer.write(desktop, touched: touched, at: now, time: .now()))
    }

    func take(_ notice: Notice) {
        write(writer.write(notice, at: Clock.nanoseconds(), time: .now()))
    }

    func end() {
        write(writer.end(at: Clock.nanoseconds(), time: .now()))
    }
}

extension Extensions {
    /// The names of those that the server has.
    fileprivate var named: [String] {
        let all: [(String, Bool)] = [
            ("MIT-SCREEN-SAVER", screenSaver != nil), ("DPMS", dpms != nil), ("XINERAMA", xinerama != nil),
            ("SYNC", sync != nil), ("SHAPE", shape != nil), ("X-Resource", resource != nil),
            ("XWAYLAND", isXWayland),
        ]
        return all.filter(\.1).map(\.0)
    }
}
