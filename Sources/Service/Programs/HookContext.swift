import CLinux
import Console
import Hooks
import PhaseWatch
import System

/// The properties that all hooks of a process share.
public final class HookContext {
    /// The working directory of hooks.
    let directory: SystemString
    /// The variables of this process, completed.
    private let environment: Environment
    /// The display for hooks; nil for that of the environment.
    private let display: String?
    /// The process of the X server; nil if unknown.
    let server: Int32?
    let watcher: PhaseWatcher?
    let log: Log
    /// The destination of the output of hooks; nil for the log.
    let output: Log?
    let reserved: ReservedDescriptors
    /// The clock of what a user has asked for some time, which includes the time asleep.
    var sinceBoot: () -> Duration = Clock.sinceBoot
    /// An additional receiver of the lines about a job.
    var relay: ((Job, String) -> Void)?
    private static let mostRemarks = 256
    /// The remarks that have been made, each once. The start of the service has made the first one, with the hooks
    /// concerned.
    private var remarks = Set(UserUnits.lack(.own).map { ["hooks: \($0)"] } ?? [])

    /// - Parameters:
    ///   - environment: The variables of this process.
    ///   - display: The display for the hooks; nil for that of the environment.
    ///   - watcher: The watcher of the display. The process of its X server is never frozen, and is checked after each
    ///     freeze.
    ///   - log: The destination of messages.
    ///   - output: The destination of the output of hooks; nil for the log.
    ///   - reserved: Best taken at the start: low numbers stay below a limit that is set later.
    public init(
        environment: Environment, display: String?, watcher: PhaseWatcher? = nil,
        log: Log, output: Log? = nil, reserved: ReservedDescriptors = ReservedDescriptors()
    ) {
        self.reserved = reserved
        directory = environment.workingDirectory
        self.environment = environment
        self.display = display
        self.watcher = watcher
        server = (watcher?.fileDescriptor).map { Descriptor.peer(of: $0).pid }.flatMap { $0 > 0 ? $0 : nil }
        self.log = log
        self.output = output
    }

    /// Returns the variables that hooks and tools inherit, each NAME=VALUE. The audio server may start later than this
    /// process; where its socket is looked for, a disk may not answer.
    var inherited: @Sendable () -> [SystemString] {
        { [environment, display] in
            HookVariables.inherited(environment.entries, display: display)
                + AudioServer.variables(environment)
        }
    }

    /// Makes a remark once. Those of programs may differ each time, so when there are too many, all are forgotten.
    func say(once remark: String) {
        if remarks.contains(remark) { return }
        if remarks.count >= Self.mostRemarks { remarks = [] }
        remarks.insert(remark)
        say(remark)
    }

    /// The descriptors that a freeze opens, at most: those for its signs, for the record, and for reading processes.
    static let freezeDescriptors = 8
    /// Those that undoing a reaction opens, at most: a connection, or a few tools with their pipes; and those of all
    /// `leave`s.
    static let (undoDescriptors, endDescriptors) = (32, 64)

    /// Throws unless enough descriptors are left to thaw an application, and so many more. A look takes two at a time: a
    /// file of a process, and its directory.
    func checkDescriptors(_ count: Int = 2) throws(SystemError) {
        try reserved.takeMissing()
        try Descriptor.checkFree(count)
    }

    public func say(_ text: String, about job: Job? = nil) {
        log.say(text)
        if let job { relay?(job, text) }
    }

    /// Logs the line of an event, if it has one.
    func say(_ event: JobEvent, of job: Job) {
        if let line = event.line(of: job) { say(line, about: job) }
    }

    private var logs: [Log] { [output, log].compactMap(\.self) }

    /// Has the loop watch the descriptors of the logs while lines are pending.
    func join(_ loop: EventLoop) { for log in logs { log.join(loop) } }

    /// Ends the output of hooks. Its owner ends the log: further messages may follow.
    func endOutput() { output?.end() }

    func show(_ line: String, of job: Job) {
        if let output { output.pass(line) } else { log.pass(job.line(line.escapedForTerminal)) }
    }
}
