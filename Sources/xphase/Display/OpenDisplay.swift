import CLinux
import Console
import Glibc
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
        if options.idle != nil {
            // Whose sound counts is known only once the display is read.
            try watcher.read { !IdleObstacles.areAny(for: $0, on: watcher.displayName) }
        }
        if options.hidingStates.contains(.lock) { watcher.take(activeSaver: ScreenSavers.active()) }
        warn(io, watcher.hasOtherScreens)
        return watcher
    }

    /// Opens a display to read it once. Without `io`, no warning is printed.
    static func inspector(_ options: PhaseMonitor.Options, _ io: CommandIO?) throws -> DisplayInspector {
        let inspector = try open(options, within: nil) { try DisplayInspector(options) }
        if options.idle != nil {
            try inspector.read { !IdleObstacles.areAny(for: $0, on: inspector.displayName) }
        }
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

extension MonitorFailure: ExitCoded {
    var exitCode: Int32 { if case .system = self { Exit.system } else { Exit.noDisplay } }
    var messages: [String] { [message] }

    /// The message for a user of the command line.
    var message: String {
        guard case .cannotOpenDisplay(let name) = self else { return description }
        if name.isEmpty {
            let advice =
                getenv("WAYLAND_DISPLAY") != nil
                ? "this Wayland session has no XWayland, and xphase sees X11 windows only"
                : getenv("SSH_CONNECTION") != nil
                    ? "over SSH, name the display of the desktop, as in DISPLAY=:0 xphase list"
                    : "run inside an X session or pass --display"
            return "DISPLAY is not set: \(advice)"
        }
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 2, let number = parts.last?.split(separator: ".").first.flatMap({ Int($0) })
        else { return "'\(name)' is not the name of a display, such as :0" }
        if let screen = parts.last?.split(separator: ".").dropFirst().first, screen != "0" {
            let whole = name.dropLast(screen.count + 1)
            if (try? OpenDisplay.inspector(PhaseMonitor.Options(display: String(whole)), nil)) != nil {
                return "display '\(whole)' has no screen \(screen): type \(whole)"
            }
        }
        guard ["", "unix"].contains(parts[0]) || name.hasPrefix("/") else {
            return
                "cannot open display '\(name)': check that its host is reachable and accepts this user (xauth list)"
        }
        let sockets = SystemString("/proc/net/unix").contents(limit: 1 << 22) ?? ""
        return sockets.contains("/.X11-unix/X\(number)\n")
            ? "the X server of display '\(name)' does not accept this user: set XAUTHORITY as in the session (see xauth list)"
            : "no X server runs on display '\(name)': type echo $DISPLAY in a terminal of the session"
    }
}
