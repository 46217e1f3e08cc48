import System
import X11

extension PhaseMonitor {
    /// Opens a display, reads its present state, and starts to watch it.
    ///
    /// This takes a few round trips to the X server. The caller waits at most 5 s for each reply, except in
    /// XOpenDisplay: that has no time limit, and Xlib ends the process if the server dies during it.
    ///
    /// - Throws: `Failure.cannotOpenDisplay`, `.displayLost`, `.displaySilent`, `.noConnectionOfXCB` or `.system`.
    public convenience init(_ options: Options = Options()) throws(Failure) {
        let watcher = try PhaseWatcher(options)
        // The monitor keeps settled titles, so it needs their changes.
        if options.details.contains(.titles) { watcher.details.insert(.titleChanges) }
        let state = MonitorState(isStepwise: options.isStepwise, deliver: options.deliver)
        state.post(try watcher.begin(), at: Clock.now())
        let stop = try Failure.ofSystem { () throws(SystemError) in try StopSignal() }
        do throws(SystemError) {
            try DetachedThread.start { Self.run(watcher, state, endedBy: stop) }
        } catch {
            throw Failure(error)
        }
        self.init(state, options.details) { stop.hangUp() }
    }

    private static func run(_ watcher: PhaseWatcher, _ state: MonitorState, endedBy stop: StopSignal) {
        do throws(Failure) {
            let loop = try Failure.ofSystem { () throws(SystemError) in
                try EventLoop(
                    display: watcher.fileDescriptor, output: stop.descriptor, signals: [], sleep: SleepWatch()
                )
            }
            while true {
                loop.setTimer(watcher.deadline)
                let wake = try Failure.ofSystem { () throws(SystemError) in
                    try loop.wait(hasQueuedEvents: watcher.hasQueuedEvents)
                }
                if wake == .hangUp { return state.end() }
                if wake == .resumed { _ = watcher.resume() }
                let events = try watcher.advance()
                if !events.isEmpty { state.post(events, at: Clock.now()) }
            }
        } catch {
            state.end(error)
        }
    }
}

extension PhaseMonitor.Failure {
    static func text(_ call: String, _ code: Int32) -> String { SystemError(call, code).description }

    fileprivate init(_ error: SystemError) { self = .system(call: error.cause.call, code: error.code) }

    static func ofSystem<Result>(_ body: () throws(SystemError) -> Result) throws(Self) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw Self(error)
        }
    }
}
