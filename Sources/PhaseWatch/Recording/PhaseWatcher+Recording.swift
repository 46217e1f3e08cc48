import Recording
import System
import X11

extension PhaseWatcher {
    /// Records everything that is read from now on, for a `Replay`. Call it before the first `update()`.
    ///
    /// - Parameters:
    ///   - options: A header with the options of the recording.
    ///   - write: Receives whole lines during the calls of `update()`.
    package func record(_ options: RecordingHeader, into write: @escaping ([UInt8]) -> Void) {
        var header = options
        header.server = "\(observer.server.vendor) \(observer.server.release)"
        header.extensions = observer.extensions.named
        recorder = Recorder(header, into: write)
    }

    /// Writes the last line of the recording and ends it.
    package func endRecording() {
        recorder?.end()
        recorder = nil
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
