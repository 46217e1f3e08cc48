import ArgumentParser
import Console
import Hooks
import Service
import System

struct HooksCheck: Command {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report every fault in the configuration and hooks.d.",
        discussion: """
            Runs nothing. Exits 78 if there is a fault, an entry of hooks.d cannot run, or a reaction does not work \
            on this system.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Check only this file, not the configuration and hooks.d; - is standard input.", valueName: "file"
        ),
        completion: .file())
    var file: SystemString?

    func run(_ io: CommandIO) throws {
        var locations = HookLocations(config: file, environment: io.environment)
        if file != nil { locations.directory = nil }
        io.sayReading("the configuration", from: file)
        let loaded = try LoadedHooks(locations)
        let service = try SessionService(environment: io.environment)
        let (variables, owner) = service?.hookVariables ?? (io.environment, "this command")
        let lacks = loaded.lacks(variables)
        let present = try? io.present(under: loaded.configuration)
        var notes =
            loaded.warnings + loaded.hints(under: loaded.configuration.options, among: present ?? []) + lacks
            + loaded.missingPrograms(in: variables, of: owner)
            + ReactionLacks(io.environment).limitsWithoutEffect(of: loaded.hooks)
        for hook in loaded.hooks {
            let absence = present.flatMap { hook.absence(among: $0, suggests: true) }
            let texts = [absence?.description].compactMap(\.self) + hook.hiddenPrograms(among: present ?? [])
            notes += texts.map { "hook '\(hook.name.escapedForTerminal)': \($0)" }
        }
        notes.forEach(io.say)
        let configured = loaded.configuration.hooks.count
        let executables = loaded.hooks.count - configured
        let verdict = notes.isEmpty ? ", no faults" : ""
        let lines = [
            loaded.source.map { "\($0): \(configured.of("hook"))\(verdict)" } ?? locations.absence,
            executables == 0 ? nil : locations.directory.map { "\($0): \(executables.of("hook"))" },
        ]
        try io.write(lines: lines.compactMap(\.self))
        if file == nil, let service {
            let status = try io.statusIfItAnswers()
            let other = status?.configuration.flatMap { $0 == loaded.file?.description ? nil : $0 }
            let lines = [
                io.state(of: service),
                other.map { "the service reads \(Configuration.name(of: $0))" },
                "next login: \(service.nextLogin)",
            ]
            try io.write(lines: lines.compactMap(\.self))
        }
        // Anything that `run` cannot do is a fault, too.
        if !(loaded.warnings + lacks).isEmpty { throw CommandFailure(Exit.configuration) }
    }
}
