import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// What this system lacks for reactions.
public struct ReactionLacks {
    /// What is lacking, and the reactions of a hook that cannot be performed without it.
    private let rows: [(what: String, reactions: (Hook) -> Set<BuiltIn>)]
    private let environment: Environment

    /// - Parameter environment: PATH, XDG_RUNTIME_DIR and DBUS_SESSION_BUS_ADDRESS are used.
    public init(_ environment: Environment) {
        self.environment = environment
        let manager = UserUnits.lack(environment)
        let pactl = SearchPath(environment).finds("pactl") ? nil : AudioServer.clientLack
        let audio =
            AudioServer.runs(in: environment) ? pactl.map { "\($0), or write except = \"none\"" } : nil
        let rows: [(what: String?, reactions: (Hook) -> Set<BuiltIn>)] = [
            (manager, { $0.builtIns.intersection(UserUnits.reactions) }),
            (pactl, { $0.builtIns.intersection([.mute]) }),
            (audio, { $0.except.isDisjoint(with: [.audio, .microphone]) ? [] : $0.builtIns }),
        ]
        self.rows = rows.compactMap { row in row.what.map { ($0, row.reactions) } }
    }

    /// Returns the names of the hooks concerned, and the message.
    fileprivate func texts(for hooks: [Hook]) -> [(names: String, text: String)] {
        rows.compactMap { what, reactions in
            let affected = hooks.filter { !reactions($0).isEmpty }
            if affected.isEmpty { return nil }
            let words = Set(affected.flatMap(reactions)).map(\.rawValue).sorted()
            return (
                affected.map(\.name.quoted).joined(separator: ", "),
                "\(words.joined(separator: " and ")) \(words.count == 1 ? "is" : "are") unavailable: \(what)"
            )
        }
    }

    /// Returns whether the system can perform a reaction of a hook, or runs a program for it.
    public func permit(_ hook: Hook) -> Bool {
        hook.builtIns.isEmpty || !hook.builtIns.isSubset(of: rows.flatMap { $0.reactions(hook) })
    }

    // MARK: Controllers

    /// Returns messages about the cgroup2 controllers that these reactions need and that are not there.
    static func controllers(for builtIns: Set<BuiltIn>, unless isPresent: (String) -> Bool) -> [String] {
        let effects: [(controller: String, reactions: Set<BuiltIn>, lack: String)] = [
            ("cpu", [.slow, .cap], "slow and cap have no effect on the processor"),
            ("io", [.slow], "slow has no effect on disks"),
        ]
        let missing = effects.filter { !$0.reactions.isDisjoint(with: builtIns) && !isPresent($0.controller) }
        return missing.map { controller, _, lack in
            "\(lack): the cgroup2 controller '\(controller)' is not delegated to systemd --user; see "
                + "Delegate= in systemd.resource-control(5)"
        }
    }

    /// Returns messages about unit limits that have no effect here, because their controllers are not delegated to the
    /// service manager; empty if unknown. Waits for the service manager.
    public func limitsWithoutEffect(of hooks: [Hook]) -> [String] {
        let builtIns = Set(hooks.flatMap(\.builtIns))
        guard !builtIns.isDisjoint(with: UserUnits.reactions),
            let address = BusAddress.serviceManager(environment), let bus = try? Bus(address),
            case (let method, let arguments) = UserUnits.property("ControlGroup", of: "-.slice"),
            let path = (try? bus.ask(method, "ss", arguments))?.first?.text,
            let present = ControlGroup(inHierarchy: path)?.controllers
        else { return [] }
        return Self.controllers(for: builtIns) { present.contains(Substring($0)) }
    }

    // MARK: All reactions

    /// The reactions that this system can perform.
    public var working: [BuiltIn] { BuiltIn.allCases.filter { permit(Self.hook([$0])) } }

    /// Sentences about why the others cannot be performed or have no effect, and how to change that. Waits for the
    /// service manager.
    public var advice: [String] {
        let all = [Self.hook(Set(BuiltIn.allCases))]
        let controllers = limitsWithoutEffect(of: all)
        return texts(for: all).map(\.text) + controllers
            + (controllers.isEmpty ? [] : [Self.delegation])
    }

    private static func hook(_ builtIns: Set<BuiltIn>) -> Hook {
        Hook(name: "", reaction: .pair(Hook.Pair(phases: [.background], builtIns: builtIns)))
    }

    private static let delegation =
        "To delegate these controllers, run this and log in again: "
        + "printf '[Service]\\nDelegate=cpu io memory pids\\n' | "
        + "sudo install -Dm 644 /dev/stdin /etc/systemd/system/user@.service.d/delegate.conf && "
        + "sudo systemctl daemon-reload"
}

extension LoadedHooks {
    /// Returns messages about what the system lacks for the reactions of hooks, with the names of these hooks.
    public func lacks(_ environment: Environment) -> [String] {
        ReactionLacks(environment).texts(for: hooks).map { names, text in "hook \(names): do: \(text)" }
    }
}
