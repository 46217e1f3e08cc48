import ArgumentParser
import PhaseWatch
import Service

struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Start the service at the beginning of a session.",
        shouldDisplay: false,
        subcommands: [SessionStart.self]
    )
}

struct SessionStart: Command {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Start the service for this display, if it is enabled.",
        discussion: """
            The autostart entry and the scripts of X sessions run this command at login. With systemd, it starts \
            xphase.service with DISPLAY and XAUTHORITY if the service is enabled ('systemctl --user enable xphase'). \
            Without systemd, it starts 'xphase run' if $XDG_CONFIG_HOME/xphase/enabled or an autostart entry of the \
            user exists. Exits 1 if the service is not enabled.
            """
    )

    func run(_ io: CommandIO) throws {
        guard let service = SessionService(environment: io.environment) else {
            throw MonitorFailure.cannotOpenDisplay("")
        }
        guard service.isEnabled || service.isRunning else {
            // At login, this is no error to report.
            try io.write(lines: ["the service \(service.state)"])
            throw CommandFailure(Exit.notFound)
        }
        if !service.isRunning {
            // The service would only report in its log that it cannot open the display.
            _ = try OpenDisplay.inspector(PhaseMonitor.Options(display: nil), nil)
        }
        try service.start()
        try io.write(lines: ["the service \(service.isRunning ? "already runs" : "starts")"])
    }
}
