import Hooks
import PhaseWatch

/// Controls the hooks of a service, and freezes by hand.
public final class HooksInterface: VarlinkInterface {
    enum Method: String {
        case status = "Status"
        case why = "Why"
        case pause = "Pause"
        case resume = "Resume"
        case freeze = "Freeze"
        case thaw = "Thaw"
        case hold = "Hold"
        case yield = "Yield"
    }

    struct Why: Codable {
        var hook: String
        var application: Pattern?
    }

    struct Pause: Codable {
        var hooks: [String]?
        var milliseconds: Int?
    }

    struct Freeze: Codable {
        var application: String
        var toggle: Bool?
    }

    struct Thaw: Codable { var application: Pattern? }
    struct Rows: Codable { var rows: [HookStatus] }
    struct Events: Codable { var events: [HookEvent] }
    struct Text: Codable { var text: String }
    struct Texts: Codable { var texts: [String] }
    struct Nothing: Codable {}

    /// More rows are not reported: a reader that does not read must not fill the memory.
    private static let mostRows = 4096

    private let hooks: HookSink

    public init(_ hooks: HookSink) {
        self.hooks = hooks
    }

    public func handle(_ call: VarlinkCall) throws(VarlinkError) {
        switch Method(rawValue: call.method) {
        case .status: call.reply(Rows(rows: Array(hooks.status.prefix(Self.mostRows))))
        case .why:
            let asked: Why = try call.parameters()
            let events = try hooks.events(of: asked.hook)
            call.reply(Events(events: events.filter { asked.application?.matches($0.application) ?? true }))
        case .pause:
            let asked: Pause = try call.parameters()
            let time = asked.milliseconds.map { Duration.milliseconds($0) }
            call.reply(Text(text: try hooks.pause(asked.hooks ?? [], for: time)))
        case .resume:
            call.reply(Text(text: try hooks.resume(call.parameters(Pause.self).hooks ?? [])))
        case .freeze:
            let asked: Freeze = try call.parameters()
            try hooks.freeze(asked.application, toggles: asked.toggle ?? false, for: call)
        case .thaw:
            let pattern = try call.parameters(Thaw.self).application
            call.reply(Texts(texts: try hooks.thaw { pattern?.matches($0) ?? true }))
        case .hold:
            if !call.wantsMore { throw .expectedMore }
            try hooks.hold(call.parameters(HeldReaction.self), for: call)
        case .yield:
            try hooks.yield()
            call.reply(Nothing())
        case nil: throw .methodNotFound(call.method)
        }
    }

    public static let name = "org.xphase.Hooks"

    public static let description = """
        # What hooks do on an X display, and what a program or its user may have done there.
        interface org.xphase.Hooks

        # The keys and values of 'xphase hooks status --json'.
        type Row (
          hook: string,
          state: string,
          application: ?string,
          subject: ?string,
          since: ?string,
          until: ?string,
          reactions: []string,
          unit: ?string,
          processes: ?int,
          reason: ?string
        )

        # The keys and values of 'xphase hooks why --json'.
        type Event (hook: string, application: string, what: string, time: string, reason: string)

        # The state of each hook, and of each application or scene that it acts on.
        method Status() -> (rows: []Row)

        # What last became of a hook; application is a pattern.
        method Why(hook: string, application: ?string) -> (events: []Event)

        # Pauses hooks, or all, for some time or until they are resumed, and undoes what they have done.
        method Pause(hooks: ?[]string, milliseconds: ?int) -> (text: string)
        method Resume(hooks: ?[]string) -> (text: string)

        # Freezes the application with this class name until Thaw, or until it is wanted. With toggle, thaws a frozen one.
        method Freeze(application: string, toggle: ?bool) -> (text: string)

        # Thaws the applications that a pattern matches, or all.
        method Thaw(application: ?string) -> (texts: []string)

        # With more: does the reactions (freeze, slow, idle, cap, mute, reclaim) for as long as the connection lasts,
        # whenever the applications are in the phases and have been for 'after' milliseconds. The first reply, with
        # an empty text, says that it has begun, the others what is done. Close your half of the connection for a last
        # reply, with an empty text, once all is undone.
        method Hold(
          application: string,
          phases: []string,
          after: int,
          reactions: []string,
          except: ?[]string,
          cap: ?string,
          initial: ?bool,
          instance: ?[]string,
          process: ?[]string,
          desktop: ?[]int
        ) -> (text: string)

        # Asks an 'xphase on' for the display; an 'xphase run' keeps it.
        method Yield() -> ()

        error Refused (text: string)

        """
}

extension VarlinkError {
    static let refused = "\(HooksInterface.name).Refused"

    static func refused(_ text: String) -> Self { Self(error: refused, parameters: ["text": text]) }
}
