import Glibc
import System

extension PhaseMonitor {
    /// Opens a display, reads its present state, and starts to watch it.
    ///
    /// This takes a few round trips to the X server. The caller waits at most 5 s for each reply, except in
    /// XOpenDisplay: that has no time limit, and Xlib ends the process if the server dies during it.
    ///
    /// - Throws: `MonitorFailure.cannotOpenDisplay`, `.displayLost`, `.displaySilent`, `.noConnectionOfXCB` or `.system`.
    public convenience init(_ options: Options = Options()) throws(MonitorFailure) {
        let watcher = try PhaseWatcher(options)
        // The monitor keeps settled titles, so it needs their changes.
        if options.details.contains(.titles) { watcher.details.insert(.titleChanges) }
        let state = MonitorState(options)
        state.post(try watcher.update(), by: watcher)
        do throws(SystemError) {
            let stop = try StopSignal()
            try DetachedThread.start { state.run(watcher, endedBy: stop) }
            self.init(state) { stop.hangUp() }
        } catch {
            throw MonitorFailure(error)
        }
    }
}

extension MonitorState {
    fileprivate func post(_ events: [Event], by watcher: PhaseWatcher) {
        // New facts are in what is present.
        post(
            events.compactMap(\.change).filter { $0.kind != .facts }, present: watcher.present,
            at: Clock.now())
    }

    fileprivate func run(_ watcher: PhaseWatcher, endedBy stop: StopSignal) {
        do {
            let loop = try EventLoop(
                display: watcher.fileDescriptor, output: stop.end.number, signals: [], sleep: SleepWatch())
            while true {
                loop.setTimer(watcher.deadline)
                let wake = try loop.wait(hasQueuedEvents: watcher.hasQueuedEvents)
                if wake == .hangUp { return end() }
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

/// Ends a loop from another thread by hanging up a descriptor.
private struct StopSignal: Sendable {
    let end: Descriptor
    private let otherEnd: Descriptor

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
        end = try Descriptor("socketpair", ends[0])
        otherEnd = try Descriptor("socketpair", ends[1])
    }

    /// Hangs up. Unlike closing a pipe, this works even if a child process has the descriptor, too.
    func hangUp() {
        shutdown(end.number, Int32(SHUT_RDWR))
    }
}
