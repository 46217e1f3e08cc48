import Console
import Hooks
import PhaseWatch

/// The interface that controls the hooks of a service and freezes by hand.
extension HookSink: VarlinkInterface {
    struct Why: Codable {
        var hook: String
        var application: Pattern?
    }

    /// The parameters of `Pause` and `Resume`.
    struct Pause: Codable {
        /// nil for all.
        var hooks: [String]?
        var milliseconds: Int?
    }

    struct Freeze: Codable {
        var application: String
        var toggle: Bool?
        /// nil for the usual ones.
        var except: Set<Exception>?
        var milliseconds: Int?
    }

    struct Thaw: Codable { var application: Pattern? }

    public static let name = "org.xphase.Hooks"

    public static let description = """
        # Controls the hooks of an X display.
        interface org.xphase.Hooks

        # The keys and values of 'xphase hooks status --json'.
        type Row (hook: string, state: string, application: ?string, subject: ?string, since: ?string, until: ?string,
          reactions: []string, unit: ?string, processes: ?int, reason: ?string)

        # The keys and values of 'xphase hooks why --json'.
        type Event (hook: string, application: string, what: string, time: string, reason: string)

        # The state of each hook, and of each application or scene that it acts on.
        method Status() -> (rows: []Row)

        # The latest events of a hook; application is a pattern.
        method Why(hook: string, application: ?string) -> (events: []Event)

        # Pauses these hooks, or all, and undoes their effects, for some time or until Resume.
        method Pause(hooks: ?[]string, milliseconds: ?int) -> (text: string)
        method Resume(hooks: ?[]string) -> (text: string)

        # Freezes the application with this class name until Thaw, or until it is wanted, or for some time, unless one of
        # the exceptions holds. With toggle, a frozen one is thawed.
        method Freeze(application: string, toggle: ?bool, except: ?[]string, milliseconds: ?int) -> (text: string)

        # Thaws the applications that a pattern matches, or all.
        method Thaw(application: ?string) -> (texts: []string)

        # With more: performs the reactions (freeze, slow, cap, mute) while an application has been in one of the phases
        # for 'after' milliseconds, for as long as the connection lasts. 'application' is a pattern, or several with
        # commas. The first reply, with an empty text, reports that this has begun, the others report what is done. After
        # the client has closed its half of the connection, a last reply with an empty text reports that all is undone.
        method Hold(application: string, phases: []string, after: int, reactions: []string, except: ?[]string, cap: ?string,
          power: ?string, initial: ?bool) -> (text: string)

        error Refused (text: string)

        """
}

extension Hook {
    /// Returns the message about a name that no hook has.
    public static func refusal(of name: String, among names: [String]) -> String {
        let near = NearestWord.to(name, among: names).map { "did you mean '\($0)'?" }
        let valid = names.isEmpty ? "there are no hooks" : "there are '\(names.joined(separator: "', '"))'"
        return "there is no hook '\(name)'; \(near ?? valid)".escapedForTerminal
    }
}
