import PhaseWatch

extension Change {
    /// What it is about, from the application down: `Firefox/Navigator 0x2c00007`.
    public var path: String {
        var path = application.escapedForTerminal
        if let group { path += "/" + group.escapedForTerminal }
        if case .scene(let facts) = subject { path += " \(facts.id)" }
        return path
    }
}
