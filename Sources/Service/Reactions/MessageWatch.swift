import Hooks
import PhaseWatch
import System

/// Notices what is sent to frozen applications: a window manager asks one to close its window, or a key comes that it has
/// grabbed, which holds up the whole keyboard until it answers.
final class MessageWatch {
    private let watcher: PhaseWatcher?
    private let loop: EventLoop
    private var listener: ClientListener?

    init(_ watcher: PhaseWatcher?, _ loop: EventLoop) { (self.watcher, self.loop) = (watcher, loop) }

    var descriptor: Int32? { listener?.fileDescriptor }

    /// Listens to these windows, and no others.
    ///
    /// - Returns: Which of the former windows were addressed meanwhile; nil where the server has no RECORD.
    func listen(to windows: Set<UInt32>) throws -> Set<UInt32>? {
        if windows == listener?.windows ?? [] { return [] }
        let former = listener
        listener = windows.isEmpty ? nil : try watcher?.listener(to: windows)
        if let listener { loop.watch(listener.fileDescriptor) }
        guard let former else { return listener == nil && watcher != nil && !windows.isEmpty ? nil : [] }
        loop.forget(former.fileDescriptor)
        // Only now, so that nothing is sent between the two.
        return try former.takeAddressed()
    }

    /// The windows that were addressed since the last call.
    func takeAddressed() throws -> Set<UInt32> { try listener?.takeAddressed() ?? [] }

    func stop() {
        if let listener { loop.forget(listener.fileDescriptor) }
        listener = nil
    }
}
