import CLinux
import Console
import PhaseWatch
import Service
import System

/// The opening of a display, with a time limit.
enum OpenDisplay {
    private static let secondsToOpen: UInt32 = 4

    /// - Parameters:
    ///   - io: Receives the warning that native Wayland windows are not seen.
    ///   - time: The time limit, rounded up to seconds; at most 4 s.
    /// - Throws: `MonitorFailure`. If the server does not answer in time, the process prints a message and exits.
    static func watcher(
        _ options: PhaseMonitor.Options, _ io: CommandIO, within time: Duration? = nil
    ) throws -> PhaseWatcher {
        let watcher = try open(options, within: time) { try PhaseWatcher(options, ownsProcess: true) }
        if options.idle != nil && IdleQuestion.isInhibited() { watcher.askBeforeIdle() }
        if options.hidingStates.contains(.lock) { watcher.take(activeSaver: ScreenSavers.active()) }
        warn(io, watcher.hasOtherScreens)
        return watcher
    }

    /// Opens a display to read it once. Without `io`, no warning is printed.
    static func inspector(_ options: PhaseMonitor.Options, _ io: CommandIO?) throws -> DisplayInspector {
        let inspector = try open(options, within: nil) { try DisplayInspector(options) }
        if options.idle != nil && IdleQuestion.isInhibited() { inspector.ignoreIdle() }
        if options.hidingStates.contains(.lock) { inspector.take(activeSaver: ScreenSavers.active()) }
        if let io { warn(io, inspector.hasOtherScreens) }
        return inspector
    }

    private static func open<Opened>(
        _ options: PhaseMonitor.Options, within time: Duration?, _ open: () throws -> Opened
    ) throws -> Opened {
        let seconds = time.map { max(1, UInt32(clamping: ($0 + .milliseconds(999)).components.seconds)) }
        let name = (options.display ?? Environment.own["DISPLAY"]?.description ?? "").escapedForTerminal
        let message =
            "xphase: display '\(name)' does not answer: is its X server stopped, or its host away?\n"
        return try message.withCString { text in
            linux_exit_after(min(seconds ?? .max, secondsToOpen), text, Exit.noDisplay)
            defer { linux_exit_after(0, text, Exit.noDisplay) }
            return try open()
        }
    }

    private static func warn(_ io: CommandIO, _ hasOtherScreens: Bool) {
        if Diagnosis.isWaylandSession {
            io.say("this is a Wayland session: native Wayland windows are not seen, only those of XWayland")
        }
        if hasOtherScreens {
            io.say("this display has several screens; xphase watches only the default one")
        }
    }
}
