import Hooks
import PhaseWatch

/// The interface that controls the hooks of a service and freezes by hand.
public final class HooksInterface: VarlinkInterface {
    struct Why: Codable {
        var hook: String
        var application: Pattern?
    }

    struct Pause: Codable {
        /// nil for all. An empty list is refused, because it may be a mistake.
        var hooks: [String]?
        var milliseconds: Int?

        func names() throws(VarlinkError) -> [String] {
            if hooks?.isEmpty ?? false { throw .invalidParameter("hooks") }
            return hooks ?? []
        }
    }

    struct Freeze: Codable {
        var application: String
        var toggle: Bool?
        /// nil for the usual ones.
        var except: Set<Exception>?
        var milliseconds: Int?
    }

    struct Thaw: Codable { var application: Pattern? }

    struct Rows: Codable { var rows: [HookStatus] }
    struct Events: Codable { var events: [HookEvent] }
    struct Text: Codable { var text: String }
    struct Texts: Codable { var texts: [String] }
    struct Nothing: Codable {}

    /// The maximum number of rows in a reply: a client that does not read must not fill the memory.
    private static let mostRows = 4096

    private let hooks: HookSink

    public init(_ hooks: HookSink) {
        self.hooks = hooks
    }

    public func handle(_ call: VarlinkCall, of peer: VarlinkPeer) throws(VarlinkError) {
        switch call.method {
        case "Status": peer.reply(Rows(rows: Array(hooks.status.prefix(Self.mostRows))))
        case "Why":
            let asked: Why = try call.parameters()
            let events = try hooks.events(of: asked.hook)
            peer.reply(Events(events: events.filter { asked.application?.matches($0.application) ?? true }))
        case "Pause":
            let asked: Pause = try call.parameters()
            let time = try Self.time(asked.milliseconds)
            peer.reply(Text(text: try hooks.pause(asked.names(), for: time)))
        case "Resume":
            peer.reply(Text(text: try hooks.resume(call.parameters(Pause.self).names())))
        case "Freeze":
            let asked: Freeze = try call.parameters()
            let time = try Self.time(asked.milliseconds)
            try hooks.freeze(
                asked.application, toggles: asked.toggle ?? false, except: asked.except, time: time, for: peer
            )
        case "Thaw":
            let pattern = try call.parameters(Thaw.self).application
            peer.reply(Texts(texts: try hooks.thaw(pattern)))
        case "Hold":
            if !call.wantsMore { throw .expectedMore }
            try hooks.hold(call.parameters(), for: peer)
        default: throw .methodNotFound(call.method)
        }
    }

    private static func time(_ milliseconds: Int?) throws(VarlinkError) -> Duration? {
        if let milliseconds, milliseconds <= 0 { throw .invalidParameter("milliseconds") }
        return milliseconds.map { .milliseconds($0) }
    }

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
