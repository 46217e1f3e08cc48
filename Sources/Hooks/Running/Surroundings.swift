import PhaseWatch

/// What all hooks of a process have in common.
package struct Surroundings {
    /// Where hooks work.
    var home: String
    /// What hooks inherit, each NAME=VALUE.
    private var inherited: [String]
    /// Says what would run, and runs nothing.
    var isDryRun: Bool
    let log: Log

    /// - Parameters:
    ///   - environment: The variables of this process, each NAME=VALUE.
    ///   - display: The display that the hooks are to use; nil for that of the environment.
    package init(
        home: String, environment: [String], display: String?, isDryRun: Bool = false, log: Log
    ) {
        self.home = home
        inherited = HookVariables.inherited(environment, display: display)
        self.isDryRun = isDryRun
        self.log = log
    }

    func say(_ text: String) { log.say(text) }

    func variables(for job: Job, _ processes: HookVariables.Processes) -> [String] {
        inherited + HookVariables.variables(for: job, processes)
    }
}
