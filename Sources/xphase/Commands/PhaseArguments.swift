import ArgumentParser

/// What `wait` and `on` are told: of whom, and in which phases.
struct PhaseArguments: ParsableArguments {
    @Argument(help: .application, completion: .application, transform: Arguments.glob)
    var application: String

    @Argument(
        help: ArgumentHelp("active, inactive or background, or several of them.", valueName: "phase,…"),
        completion: .phases, transform: { try PhaseSet($0) })
    var phases: PhaseSet
}
