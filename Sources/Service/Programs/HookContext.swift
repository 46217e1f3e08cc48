import CLinux
import Hooks
import PhaseWatch
import System

/// What all hooks of a process have in common.
public final class HookContext {
    /// Where hooks work.
    let home: SystemString
    /// What hooks inherit, each NAME=VALUE.
    let inherited: [SystemString]
    /// Programs are logged, not run.
    let isDryRun: Bool
    /// The process of the X server; nil where that is not known.
    let server: Int32?
    let watcher: PhaseWatcher?
    let log: Log
    /// Where the output of hooks goes; nil for the log.
    let output: Log?
    /// Who else reads the lines about a job.
    var relay: ((Job, String) -> Void)?

    /// - Parameters:
    ///   - environment: The variables of this process.
    ///   - display: The display that the hooks are to use; nil for that of the environment.
    ///   - watcher: Of the display. Its X server's process is never frozen, and is asked after each freeze whether it answers.
    public init(
        home: SystemString, environment: Environment, display: String?, watcher: PhaseWatcher? = nil,
        isDryRun: Bool = false, log: Log,
        output: Log? = nil
    ) {
        self.home = home
        inherited = HookVariables.inherited(environment.entries, display: display)
        self.watcher = watcher
        server = (watcher?.fileDescriptor).map(linux_socket_peer).flatMap { $0 > 0 ? $0 : nil }
        self.isDryRun = isDryRun
        self.log = log
        self.output = output
    }

    /// Whether the X server answers; it is waited for a moment.
    var isServerAnswering: Bool { watcher?.isServerAnswering(within: .milliseconds(100)) ?? true }

    public func say(_ text: String, about job: Job? = nil) {
        log.say(text)
        if let job { relay?(job, text) }
    }

    /// Has the loop watch the descriptors while lines wait.
    func join(_ loop: EventLoop) {
        for log in [log, output].compactMap(\.self) { log.join(loop) }
    }

    /// Writes what waits for a descriptor; false if it is not ours.
    func flush(_ descriptor: Int32) -> Bool {
        let log = [log, output].compactMap(\.self).first { $0.descriptor == descriptor }
        log?.flush()
        return log != nil
    }

    /// The last call.
    func end() {
        output?.end()
        log.end()
    }

    func show(_ line: String, of job: Job) {
        if let output { output.say(line) } else { say(RunWords.output(job, line)) }
    }

    func variables(for job: Job, _ processes: HookVariables.Processes) -> [SystemString] {
        inherited + HookVariables.variables(for: job, processes)
    }
}
