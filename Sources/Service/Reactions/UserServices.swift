import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// The user's service manager (systemd), as reached by systemctl(1) and busctl(1).
struct UserServices {
    /// The reactions that need the service manager.
    static let reactions: Set<BuiltIn> = [.slow, .cap]

    let environment: Environment

    init(_ environment: Environment) {
        self.environment = environment
    }

    /// The reason why the service manager cannot be called; nil if it can. systemctl(1) calls it through a socket.
    var lack: String? {
        if !has("systemd/private") { return "your service manager (systemd --user) does not run" }
        return environment.finds("systemctl") ? nil : "there is no systemctl"
    }

    /// The reason why the service manager cannot create units; nil if it can. Creating units requires the user's bus.
    var unitLack: String? {
        if let lack { return lack }
        if !hasBus { return "you have no session bus: install dbus-user-session" }
        return environment.finds("busctl") ? nil : "there is no busctl"
    }

    /// Whether the user's bus can be reached.
    var hasBus: Bool { environment["DBUS_SESSION_BUS_ADDRESS"] != nil || has("bus") }

    /// The controllers that are not delegated to the service manager, so it cannot enable them for units; empty if
    /// unknown.
    var missingControllers: [String] {
        guard lack == nil,
            let output = try? ToolOutput(of: [
                "systemctl", "--user", "show", "-p", "ControlGroup", "--", "-.slice",
            ]),
            let line = output.lines.first(where: { $0.hasPrefix("ControlGroup=") }),
            let present = ControlGroup(inHierarchy: String(line.dropFirst("ControlGroup=".utf8.count)))?
                .controllers
        else { return [] }
        return UnitWeights.controllers.filter { !present.contains(Substring($0)) }
    }

    private func has(_ name: String) -> Bool {
        environment["XDG_RUNTIME_DIR"].map { access(($0 + "/\(name)").cString, F_OK) == 0 } ?? false
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
        let services = UserServices(environment)
        let scopes = services.lack == nil ? services.unitLack : nil
        return Self.lacks(environment).compactMap { text(of: $0) }
            + [scopes.flatMap { text(of: Self.lack($0), " for programs without a systemd unit") }]
            .compactMap(\.self)
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
        let controllers = UnitWeights.controllers(for: Set(hooks.flatMap(\.builtIns)))
        if controllers.isEmpty { return [] }
        return UserServices(environment).missingControllers.filter(controllers.contains).map(UnitWeights.lack)
    }

    private func text(of lack: Lack, _ programs: String = "") -> (names: String, text: String)? {
        let affected = hooks.filter { !lack.reactions($0).isEmpty }
        if affected.isEmpty { return nil }
        let names = affected.map(\.name.quoted).joined(separator: ", ")
        let words = Set(affected.flatMap(lack.reactions)).map(\.rawValue).sorted().joined(separator: " and ")
        return (names, "\(words) cannot be done here\(programs), since \(lack.what)")
    }

    private static func lack(_ what: String) -> Lack {
        (what, { $0.builtIns.intersection(UserServices.reactions) })
    }

    private static func lacks(_ environment: Environment) -> [Lack] {
        var lacks = UserServices(environment).lack.map { [lack($0)] } ?? []
        if !environment.finds("pactl") {
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

extension Environment {
    fileprivate func finds(_ program: SystemString) -> Bool { SearchPath(self).finds(program) }
}
