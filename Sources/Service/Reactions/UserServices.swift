import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// The service manager of the user, systemd, as systemctl(1) and busctl(1) reach it.
struct UserServices {
    /// What needs it.
    static let reactions: Set<BuiltIn> = [.slow, .idle, .cap, .reclaim]

    let environment: Environment

    init(_ environment: Environment) {
        self.environment = environment
    }

    /// Why nothing can be asked of it; nil if it can. systemctl(1) has a socket for that.
    var lack: String? {
        if !has("systemd/private") { return "no service manager of yours runs (systemd --user)" }
        return environment.finds("systemctl") ? nil : "there is no systemctl"
    }

    /// Why it can make no unit; nil if it can. It is asked for that over the user's bus.
    var unitLack: String? {
        if let lack { return lack }
        if !hasBus { return "no bus of yours runs: install dbus-user-session" }
        return environment.finds("busctl") ? nil : "there is no busctl"
    }

    /// A bus of the user can be reached.
    var hasBus: Bool { environment["DBUS_SESSION_BUS_ADDRESS"] != nil || has("bus") }

    /// The controllers that it cannot give to units, since it was not given them; nothing where that cannot be known.
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
    /// What the system lacks for reactions that hooks name, and which hooks that are.
    ///
    /// - Parameter environment: PATH, XDG_RUNTIME_DIR and DBUS_SESSION_BUS_ADDRESS are used.
    public func lacks(_ environment: Environment) -> [String] {
        var lacks = Self.lacks(environment).map { ($0, "", $1) }
        let services = UserServices(environment)
        if services.lack == nil, let lack = services.unitLack {
            lacks.append((UserServices.reactions, " for programs without a systemd unit", lack))
        }
        return lacks.compactMap { builtIns, programs, what in
            let names = hooks.filter { !$0.builtIns.isDisjoint(with: builtIns) }.map(\.name.quoted)
            if names.isEmpty { return nil }
            let words = Set(hooks.flatMap(\.builtIns).filter(builtIns.contains).map(\.rawValue))
            return "hook \(names.joined(separator: ", ")): do: \(words.sorted().joined(separator: " and ")) "
                + "cannot be done here\(programs), since \(what)"
        }
    }

    /// Which limits of units have no effect here. The service manager is asked.
    public func weightsWithoutEffect(_ environment: Environment) -> [String] {
        let controllers = UnitWeights.controllers(for: Set(hooks.flatMap(\.builtIns)))
        if controllers.isEmpty { return [] }
        return UserServices(environment).missingControllers.filter(controllers.contains).map(UnitWeights.lack)
    }

    /// Whether the system lacks something for each of their reactions.
    ///
    /// - Parameter environment: PATH and XDG_RUNTIME_DIR are used.
    public func canDoNothing(_ environment: Environment) -> Bool {
        let lacking = Self.lacks(environment).flatMap(\.builtIns)
        return hooks.allSatisfy { !$0.builtIns.isEmpty && $0.builtIns.isSubset(of: lacking) }
    }

    private static func lacks(_ environment: Environment) -> [(builtIns: Set<BuiltIn>, what: String)] {
        var lacks: [(Set<BuiltIn>, String)] = []
        if let lack = UserServices(environment).lack { lacks.append((UserServices.reactions, lack)) }
        if !environment.finds("pactl") {
            lacks.append(([.mute], "there is no pactl: install pulseaudio-utils"))
        }
        return lacks
    }
}

extension Environment {
    /// Whether there is a program of this name in PATH.
    fileprivate func finds(_ program: String) -> Bool {
        (self["PATH"] ?? "/usr/bin:/bin").bytes.split(separator: UInt8(ascii: ":")).contains {
            access(SystemString(bytes: $0).entry(SystemString(program)).cString, X_OK) == 0
        }
    }
}
