import PhaseWatch

/// What all hooks of a process have in common.
package struct Surroundings {
    /// Where hooks work.
    var home: String
    /// What hooks inherit, each NAME=VALUE.
    private var inherited: [String]
    /// Says what would run, and runs nothing.
    var isDryRun: Bool
    /// Logs one line.
    var say: (String) -> Void
    /// Shows what a hook prints; logs it if left out.
    private let show: ((String) -> Void)?

    /// - Parameters:
    ///   - environment: The variables of this process, each NAME=VALUE.
    ///   - display: The display that the hooks are to use; nil for that of the environment.
    package init(
        home: String, environment: [String], display: String?, isDryRun: Bool = false,
        say: @escaping (String) -> Void, show: ((String) -> Void)? = nil
    ) {
        self.home = home
        inherited = HookVariables.inherited(environment, display: display)
        self.isDryRun = isDryRun
        self.say = say
        self.show = show
    }

    func show(_ line: String, of job: Job) {
        if let show { show(line) } else { say(RunWords.output(job, line)) }
    }

    func variables(for job: Job, _ processes: HookVariables.Processes) -> [String] {
        inherited + HookVariables.variables(for: job, processes)
    }
}
