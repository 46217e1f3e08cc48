import Hooks
import PhaseWatch
import System
import X11

/// A watch for messages to frozen applications: a window manager's request to close a window, or a key that the
/// application has grabbed. Such a key blocks the whole keyboard until the application answers.
final class MessageWatch {
    private let watcher: PhaseWatcher?
    private let loop: EventLoop
    private var windows: Set<UInt32> = []
    private var listener: DeliveredEvents?

    init(_ watcher: PhaseWatcher?, _ loop: EventLoop) { (self.watcher, self.loop) = (watcher, loop) }

    var descriptor: Int32? { listener?.fileDescriptor }

    /// Listens to these windows and no others.
    ///
    /// - Returns: The former windows that have received messages meanwhile; nil if the X server lacks the RECORD
    ///   extension.
    func listen(to windows: Set<UInt32>) throws -> Set<UInt32>? {
        if windows == self.windows { return [] }
        let former = listener
        listener = windows.isEmpty ? nil : try watcher?.deliveredEvents(to: windows)
        self.windows = listener == nil ? [] : windows
        if let listener { loop.watch(listener.fileDescriptor) }
        guard let former else { return listener == nil && watcher != nil && !windows.isEmpty ? nil : [] }
        loop.forget(former.fileDescriptor)
        // Only now, so that no message is missed between the two listeners.
        return try former.takeAddressed()
    }

    /// Returns the windows that have received messages since the last call.
    func takeAddressed() throws -> Set<UInt32> { try listener?.takeAddressed() ?? [] }

    func stop() {
        if let listener { loop.forget(listener.fileDescriptor) }
        (listener, windows) = (nil, [])
    }
}
