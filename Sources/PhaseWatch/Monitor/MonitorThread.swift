import Glibc
import System

extension PhaseMonitor {
    /// Opens a display, reads its present state, and starts to watch it. The caller waits at most 5 s for each reply of the
    /// X server, except for the first one, which has no time limit.
    ///
    /// - Throws: `MonitorFailure.cannotOpenDisplay`, `.displayFull`, `.displayLost`, `.displaySilent` or `.system`.
    public convenience init(_ options: Options = Options()) throws(MonitorFailure) {
        let watcher = try PhaseWatcher(options)
        // The monitor keeps settled titles, so it needs their changes.
        if options.details.contains(.titles) { watcher.details.insert(.titleChanges) }
        let state = MonitorState(options)
        state.post(try watcher.update(), by: watcher)
        do throws(SystemError) {
            let (reading, writing) = try Descriptor.pipe()
            try DetachedThread.start { state.run(watcher, until: reading) }
            // Keeps the reading end, without which a write raises SIGPIPE, when the thread has ended.
            self.init(state) { withExtendedLifetime(reading) { _ = write(writing.number, [0], 1) } }
        } catch {
            throw MonitorFailure(error)
        }
    }
}

extension MonitorState {
    fileprivate func post(_ events: [Event], by watcher: PhaseWatcher) {
        // New facts are in what is present.
        post(events.compactMap(\.change).filter { $0.kind != .facts }, present: watcher.present)
    }

    /// `stop` is readable when the monitor is closed. A child process may have its other end, so closing that would not do.
    fileprivate func run(_ watcher: PhaseWatcher, until stop: Descriptor) {
        do {
            let loop = try EventLoop(
                display: watcher.fileDescriptor, output: nil, signals: [], sleep: SleepWatch())
            loop.watch(stop.number) {}
            while true {
                loop.setTimer(watcher.nextUpdateTime)
                let wake = try loop.wait(hasQueuedEvents: watcher.hasQueuedEvents)
                if wake == .ready { return end() }
                if wake == .resumed { watcher.resume() }
                let events = try watcher.advance()
                if !events.isEmpty { post(events, by: watcher) }
            }
        } catch let error as SystemError {
            end(MonitorFailure(error))
        } catch {
            end(error as? MonitorFailure)
        }
    }
}
