import Recording
import Scenes
import System
import X11

extension PhaseWatcher {
    /// Records everything that is read from now on, for a `Replay`. Call it before the first `update()`.
    ///
    /// - Parameters:
    ///   - program: The version of the program that makes the recording.
    ///   - isRedacted: Whether titles and names are replaced by meaningless words. The same text always becomes the
    ///     same word.
    ///   - hasTitles: Whether the titles of all windows are read. Otherwise only those of windows without a class are.
    ///   - idle: The idle time in the watcher's options; nil for never.
    ///   - write: Receives whole lines during the calls of `update()`.
    package func record(
        program: String, isRedacted: Bool, hasTitles: Bool, idle: Duration?,
        into write: @escaping ([UInt8]) -> Void
    ) {
        var header = RecordingHeader()
        header.program = program
        header.server = "\(observer.server.vendor) \(observer.server.release)"
        header.extensions = observer.extensions.named
        header.isRedacted = isRedacted
        header.hasTitles = hasTitles
        header.idle = idle.map { Int($0.milliseconds) }
        recorder = Recorder(header, write)
    }

    /// Writes the last line of the recording and ends it.
    package func endRecording() {
        recorder?.end()
        recorder = nil
    }
}

/// Writes a recording of everything that is read from a display.
final class Recorder {
    private var writer: LookWriter
    private let write: ([UInt8]) -> Void

    init(_ header: RecordingHeader, _ write: @escaping ([UInt8]) -> Void) {
        writer = LookWriter(header, at: Clock.nanoseconds(), time: .now())
        self.write = write
    }

    func take(_ desktop: Desktop, at now: Int64) {
        write(writer.write(desktop, at: now, time: .now()))
    }

    func take(_ notice: Notice) {
        write(writer.write(notice, at: Clock.nanoseconds(), time: .now()))
    }

    func end() {
        write(writer.end(at: Clock.nanoseconds(), time: .now()))
    }
}

extension Extensions {
    /// The names of the extensions that the server has.
    fileprivate var named: [String] {
        let all: [(String, Bool)] = [
            ("MIT-SCREEN-SAVER", screenSaver != nil), ("DPMS", dpms != nil), ("XINERAMA", xinerama != nil),
            ("SYNC", sync != nil), ("SHAPE", shape != nil), ("X-Resource", resource != nil),
            ("XWAYLAND", isXWayland),
        ]
        return all.filter(\.1).map(\.0)
    }
}
