import ArgumentParser
import Hooks
import Service
import System

struct HooksCheck: Command {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report every fault in the configuration and hooks.d.",
        usage: "xphase hooks check [file]",
        discussion: """
            Runs nothing. Exits 78 if there is a fault, an entry of hooks.d cannot run, or a reaction does not work \
            on this system.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Check only this file, not the configuration and hooks.d.", valueName: "file"),
        completion: .file())
    var file: SystemString?

    func run(_ io: CommandIO) throws {
        var locations = HookLocations(config: file, environment: io.environment)
        if file != nil { locations.directory = nil }
        let loaded = try LoadedHooks(locations)
        let service = SessionService(environment: io.environment)
        let (variables, owner) = service?.hookVariables ?? (io.environment, "this command")
        let lacks = loaded.lacks(variables)
        let notes =
            loaded.warnings + loaded.hints(under: loaded.configuration.options) + lacks
            + loaded.missingPrograms(in: variables, of: owner)
            + ReactionLacks(io.environment).limitsWithoutEffect(of: loaded.hooks)
        notes.forEach(io.say)
        try io.write(lines: report(on: loaded, locations, isWhole: notes.isEmpty))
        if file == nil, let service {
            try io.write(lines: ["the service \(service.state)", "next login: \(service.nextLogin)"])
        }
        // Anything that `run` cannot do is a fault, too.
        if !(loaded.warnings + lacks).isEmpty { throw CommandFailure(Exit.configuration) }
    }

    /// - Parameter isWhole: Whether nothing else is reported.
    private func report(on loaded: LoadedHooks, _ locations: HookLocations, isWhole: Bool) -> [String] {
        let configured = loaded.configuration.hooks.count
        let verdict = isWhole ? ", no faults" : ""
        var lines = [loaded.file.map { "\($0): \(Self.hooks(configured))\(verdict)" } ?? locations.absence]
        let executables = loaded.hooks.count - configured
        if let directory = locations.directory, executables > 0 {
            lines.append("\(directory): \(Self.hooks(executables))")
        }
        return lines
    }

    private static func hooks(_ count: Int) -> String {
        count == 1 ? "1 hook" : "\(count) hooks"
    }
}
