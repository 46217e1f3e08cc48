import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// What the user's service manager (systemd) can do here.
enum UserServices {
    /// The reactions that need the service manager.
    static let reactions: Set<BuiltIn> = [.slow, .cap]
    /// The cgroup2 controllers that have weights.
    private static let controllers = ["cpu", "io"]

    /// The reason why the service manager cannot be called; nil if it can.
    static func lack(_ environment: Environment) -> String? {
        BusAddress.serviceManager(environment) == nil
            ? "your service manager (systemd --user) does not run" : nil
    }

    /// Returns the controllers that these reactions need.
    static func controllers(for builtIns: Set<BuiltIn>) -> [String] {
        if builtIns.contains(.slow) { return controllers }
        return builtIns.contains(.cap) ? ["cpu"] : []
    }

    /// Returns the controllers that are not delegated to the service manager, so it cannot enable them for units; empty
    /// if unknown. Waits for the service manager.
    static func missingControllers(_ environment: Environment) -> [String] {
        guard let address = BusAddress.serviceManager(environment), let bus = try? Bus(address),
            case (let method, let arguments) = UserUnits.property("ControlGroup", of: "-.slice"),
            let path = (try? bus.ask(method, "ss", arguments))?.first?.text,
            let present = ControlGroup(inHierarchy: path)?.controllers
        else { return [] }
        return controllers.filter { !present.contains(Substring($0)) }
    }

    /// Returns a message about the effects of a disabled controller.
    static func lack(of controller: String) -> String {
        let lack =
            controller == "cpu"
            ? "slow and cap have no effect on the processor" : "slow has no effect on disks"
        return "the controller '\(controller)' of cgroup2 is off for your programs, so \(lack): see "
            + "Delegate= in systemd.resource-control(5)"
    }
}

extension LoadedHooks {
    /// Something that the system lacks, and the reactions of a hook that cannot be performed without it.
    private typealias Lack = (what: String, reactions: (Hook) -> Set<BuiltIn>)

    /// Returns messages about what the system lacks for the reactions of hooks, with the names of these hooks.
    ///
    /// - Parameter environment: PATH, XDG_RUNTIME_DIR and DBUS_SESSION_BUS_ADDRESS are used.
    public func lacks(_ environment: Environment) -> [String] {
        reactionLacks(environment).map { names, text in "hook \(names): do: \(text)" }
    }

    /// Returns the names of the hooks concerned, and the message.
    fileprivate func reactionLacks(_ environment: Environment) -> [(names: String, text: String)] {
        Self.lacks(environment).compactMap(text)
    }

    /// Whether the system cannot perform any reaction of these hooks.
    ///
    /// - Parameter environment: PATH and XDG_RUNTIME_DIR are used.
    public func canDoNothing(_ environment: Environment) -> Bool {
        let lacks = Self.lacks(environment)
        return hooks.allSatisfy { hook in
            !hook.builtIns.isEmpty
                && hook.builtIns.isSubset(of: lacks.reduce([]) { $0.union($1.reactions(hook)) })
        }
    }

    /// Returns messages about unit limits that have no effect here. Asks the service manager.
    public func weightsWithoutEffect(_ environment: Environment) -> [String] {
        let controllers = UserServices.controllers(for: Set(hooks.flatMap(\.builtIns)))
        if controllers.isEmpty { return [] }
        return UserServices.missingControllers(environment).filter(controllers.contains).map(
            UserServices.lack)
    }

    private func text(of lack: Lack) -> (names: String, text: String)? {
        let affected = hooks.filter { !lack.reactions($0).isEmpty }
        if affected.isEmpty { return nil }
        let names = affected.map(\.name.quoted).joined(separator: ", ")
        let words = Set(affected.flatMap(lack.reactions)).map(\.rawValue).sorted().joined(separator: " and ")
        return (names, "\(words) cannot be done here, since \(lack.what)")
    }

    private static func lacks(_ environment: Environment) -> [Lack] {
        var lacks =
            UserServices.lack(environment).map { lack -> [Lack] in
                [(lack, { $0.builtIns.intersection(UserServices.reactions) })]
            } ?? []
        if !SearchPath(environment).finds("pactl") {
            lacks.append((AudioStream.lack, { $0.builtIns.intersection([.mute]) }))
            if AudioStream.isServed(environment) {
                lacks.append(
                    (
                        "\(AudioStream.lack), or write except = \"none\"",
                        { $0.except.isDisjoint(with: [.audio, .microphone]) ? [] : $0.builtIns }
                    ))
            }
        }
        return lacks
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
        let hooks = LoadedHooks(
            Hook(name: "", reaction: .pair(Hook.Pair(phases: [.background], builtIns: Set(BuiltIn.allCases))))
        )
        working = BuiltIn.allCases.filter { builtIn in
            let pair = Hook.Pair(phases: [.background], builtIns: [builtIn])
            return !LoadedHooks(Hook(name: "", reaction: .pair(pair))).canDoNothing(environment)
        }
        let controllers = hooks.weightsWithoutEffect(environment)
        lacks =
            hooks.reactionLacks(environment).map(\.text) + controllers
            + (controllers.isEmpty ? [] : [Self.delegation])
    }

    private static let delegation =
        "To give your programs these controllers, type this and log in again: "
        + "printf '[Service]\\nDelegate=cpu io memory pids\\n' | "
        + "sudo install -Dm 644 /dev/stdin /etc/systemd/system/user@.service.d/delegate.conf && "
        + "sudo systemctl daemon-reload"
}
