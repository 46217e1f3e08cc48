import ArgumentParser
import PhaseWatch
import Service

struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Start what serves a session, at its beginning.",
        usage: "xphase session start",
        subcommands: [SessionStart.self]
    )
}

struct SessionStart: Command {
    static let configuration = CommandConfiguration(
        command: "start",
        abstract: "Start the service for this display, if it is enabled.",
        usage: "xphase session start",
        discussion: """
            The autostart entry and the scripts of X sessions call it at a login. It starts xphase.service with \
            DISPLAY and XAUTHORITY if 'systemctl --user enable xphase' was called. Without systemd, it starts \
            'xphase run --respawn' if $XDG_CONFIG_HOME/xphase/enabled or an autostart entry of the user is there. \
            It does nothing if the display is served already.
            """
    )

    func run(_ io: CommandIO) throws {
        guard let service = SessionService(environment: io.environment) else {
            throw PhaseMonitor.Failure.cannotOpenDisplay("")
        }
        try service.start()
    }
}
