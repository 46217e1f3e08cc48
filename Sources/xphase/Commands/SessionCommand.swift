import ArgumentParser
import PhaseWatch
import Service

struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Start or stop the service of a session.",
        subcommands: [SessionStart.self, SessionStop.self]
    )
}

struct SessionStart: Command {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Start the service for this display, if it is enabled.",
        discussion: """
            The autostart entry and the scripts of X sessions run this command at login. With systemd, it starts \
            xphase.service with DISPLAY and XAUTHORITY if the service is enabled ('systemctl --user enable xphase'). \
            Without systemd or that unit, it starts 'xphase run' if $XDG_CONFIG_HOME/xphase/enabled or an autostart \
            entry of the user exists. Exits 1 if the service is not enabled, 75 if another process serves the \
            display, and 78 if the configuration has faults, which it prints.
            """
    )

    func run(_ io: CommandIO) throws {
        guard let service = try SessionService(environment: io.environment) else {
            throw MonitorFailure.cannotOpenDisplay("")
        }
        guard service.isEnabled || service.isRunning else {
            // At login, this is no error to report.
            try io.write(lines: [io.state(of: service)])
            throw CommandFailure(Exit.notFound)
        }
        if !service.isRunning { try io.checkStart(of: service) }
        try service.start()
        try io.write(lines: ["the service \(service.isRunning ? "already runs" : "starts")"])
    }
}

struct SessionStop: Command {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Stop the service of this display.",
        discussion: """
            Ends 'xphase run' or, with systemd, xphase.service, and waits up to 15 s until everything is thawed and \
            undone. Without DISPLAY, stops the only service that runs. Exits 1 if none runs, and 124 if it still \
            runs. 'xphase doctor' reports whether the next login starts it again.
            """
    )

    func run(_ io: CommandIO) throws {
        do {
            let display = try io.servedDisplay()
            guard let service = try SessionService(environment: io.environment, display: display) else {
                return
            }
            try service.stop()
            try io.write(lines: ["the service of \(display) has ended"])
        } catch ServiceError.notRunning(let display) {
            throw CommandFailure.notFound("\(ServiceError.notRunning(display: display))")
        }
    }
}
