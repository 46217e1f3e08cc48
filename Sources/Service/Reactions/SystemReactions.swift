import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// What the user's service manager (systemd) can do here.
enum UserServices {
    /// The reactions that need the service manager.
    static let reactions: Set<BuiltIn> = [.slow, .cap]

    /// The reason why the service manager cannot be called; nil if it can.
    static func lack(_ environment: Environment) -> String? {
        BusAddress.serviceManager(environment) == nil
            ? "your service manager (systemd --user) does not run" : nil
    }

    /// Returns messages about the cgroup2 controllers that these reactions need and that are not there.
    static func lacks(for builtIns: Set<BuiltIn>, unless isPresent: (String) -> Bool) -> [String] {
        let effects: [(controller: String, reactions: Set<BuiltIn>, lack: String)] = [
            ("cpu", [.slow, .cap], "slow and cap have no effect on the processor"),
            ("io", [.slow], "slow has no effect on disks"),
        ]
        let missing = effects.filter { !$0.reactions.isDisjoint(with: builtIns) && !isPresent($0.controller) }
        return missing.map { controller, _, lack in
            "the controller '\(controller)' of cgroup2 is off for your programs, so \(lack): see "
                + "Delegate= in systemd.resource-control(5)"
        }
    }
}

/// Something that the system lacks, and the reactions of a hook that cannot be performed without it.
private struct Lack {
    var what: String
    var reactions: (Hook) -> Set<BuiltIn>

    /// - Parameter environment: PATH, XDG_RUNTIME_DIR and DBUS_SESSION_BUS_ADDRESS are used.
    static func all(_ environment: Environment) -> [Lack] {
        let manager = UserServices.lack(environment).map { lack in
            Lack(what: lack) { $0.builtIns.intersection(UserServices.reactions) }
        }
        if SearchPath(environment).finds("pactl") { return [manager].compactMap(\.self) }
        let audio = Lack(what: "\(AudioStream.lack), or write except = \"none\"") {
            $0.except.isDisjoint(with: [.audio, .microphone]) ? [] : $0.builtIns
        }
        return [
            manager, Lack(what: AudioStream.lack) { $0.builtIns.intersection([.mute]) },
            AudioStream.isServed(environment) ? audio : nil,
        ].compactMap(\.self)
    }
}

extension LoadedHooks {
    /// Returns messages about what the system lacks for the reactions of hooks, with the names of these hooks.
    public func lacks(_ environment: Environment) -> [String] {
        reactionLacks(environment).map { names, text in "hook \(names): do: \(text)" }
    }

    /// Returns the names of the hooks concerned, and the message.
    fileprivate func reactionLacks(_ environment: Environment) -> [(names: String, text: String)] {
        Lack.all(environment).compactMap { lack in
            let affected = hooks.filter { !lack.reactions($0).isEmpty }
            if affected.isEmpty { return nil }
            let words = Set(affected.flatMap(lack.reactions)).map(\.rawValue).sorted()
            return (
                affected.map(\.name.quoted).joined(separator: ", "),
                "\(words.joined(separator: " and ")) cannot be done here, since \(lack.what)"
            )
        }
    }

    /// Whether the system cannot perform any reaction of these hooks.
    public func canDoNothing(_ environment: Environment) -> Bool {
        let lacks = Lack.all(environment)
        return hooks.allSatisfy { hook in
            !hook.builtIns.isEmpty
                && hook.builtIns.isSubset(of: lacks.reduce([]) { $0.union($1.reactions(hook)) })
        }
    }

    /// Returns messages about unit limits that have no effect here, because their controllers are not delegated to the
    /// service manager; empty if unknown. Waits for the service manager.
    public func weightsWithoutEffect(_ environment: Environment) -> [String] {
        let builtIns = Set(hooks.flatMap(\.builtIns))
        guard !builtIns.isDisjoint(with: UserServices.reactions),
            let address = BusAddress.serviceManager(environment), let bus = try? Bus(address),
            case (let method, let arguments) = UserUnits.property("ControlGroup", of: "-.slice"),
            let path = (try? bus.ask(method, "ss", arguments))?.first?.text,
            let present = ControlGroup(inHierarchy: path)?.controllers
        else { return [] }
        return UserServices.lacks(for: builtIns) { present.contains(Substring($0)) }
    }
}

/// The reactions that this system can perform.
public struct SystemReactions {
    public let working: [BuiltIn]
    /// Sentences about why the others cannot be performed or have no effect, and how to change that.
    public let lacks: [String]

    /// - Parameter environment: PATH, XDG_RUNTIME_DIR and DBUS_SESSION_BUS_ADDRESS are used. The service manager is
    ///   called.
    public init(_ environment: Environment) {
        func hooks(_ builtIns: [BuiltIn]) -> LoadedHooks {
            let pair = Hook.Pair(phases: [.background], builtIns: Set(builtIns))
            return LoadedHooks(Hook(name: "", reaction: .pair(pair)))
        }
        working = BuiltIn.allCases.filter { !hooks([$0]).canDoNothing(environment) }
        let all = hooks(BuiltIn.allCases)
        let controllers = all.weightsWithoutEffect(environment)
        lacks =
            all.reactionLacks(environment).map(\.text) + controllers
            + (controllers.isEmpty ? [] : [Self.delegation])
    }

    private static let delegation =
        "To give your programs these controllers, type this and log in again: "
        + "printf '[Service]\\nDelegate=cpu io memory pids\\n' | "
        + "sudo install -Dm 644 /dev/stdin /etc/systemd/system/user@.service.d/delegate.conf && "
        + "sudo systemctl daemon-reload"
}
