import Glibc
import PhaseWatch

/// The service manager of the user: systemd.
struct UserServices {
    let environment: Environment

    init(_ environment: Environment) {
        self.environment = environment
    }

    var isThere: Bool {
        environment["XDG_RUNTIME_DIR"].map { access(($0 + "/systemd/private").cString, F_OK) == 0 } ?? false
    }
}

extension LoadedHooks {
    /// What the system lacks for reactions that hooks name, and which hooks that are.
    ///
    /// - Parameter environment: PATH and XDG_RUNTIME_DIR are used.
    public func lacks(_ environment: Environment) -> [String] {
        Self.lacks(environment).compactMap { builtIns, what in
            let names = hooks.filter { !$0.builtIns.isDisjoint(with: builtIns) }.map(\.name.quoted)
            if names.isEmpty { return nil }
            let words = Set(hooks.flatMap(\.builtIns).filter(builtIns.contains).map(\.rawValue))
            return "hook \(names.joined(separator: ", ")): do: \(words.sorted().joined(separator: " and ")) "
                + "cannot be done here, since \(what)"
        }
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
        if !UserServices(environment).isThere {
            lacks.append(([.slow, .idle, .reclaim], "no service manager of yours runs (systemd --user)"))
        }
        if !environment.finds("pactl") {
            lacks.append(([.mute], "there is no pactl: install pulseaudio-utils"))
        }
        return lacks
    }
}

extension Environment {
    /// Whether there is a program of this name in PATH.
    fileprivate func finds(_ program: String) -> Bool {
        (self["PATH"] ?? "/usr/bin:/bin").description.split(separator: ":").contains {
            access("\($0)/\(program)", X_OK) == 0
        }
    }
}
