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
        [
            lack(
                for: [.slow, .idle, .reclaim], UserServices(environment).isThere,
                "no service manager of yours runs (systemd --user)"),
            lack(for: [.mute], environment.finds("pactl"), "there is no pactl: install pulseaudio-utils"),
        ].compactMap(\.self)
    }

    private func lack(for builtIns: Set<BuiltIn>, _ isThere: Bool, _ what: String) -> String? {
        let names = hooks.filter { !$0.builtIns.isDisjoint(with: builtIns) }.map(\.name.quoted)
        if names.isEmpty || isThere { return nil }
        let words = Set(hooks.flatMap(\.builtIns).filter(builtIns.contains).map(\.rawValue))
        return "hook \(names.joined(separator: ", ")): do: \(words.sorted().joined(separator: ", ")) "
            + "can do nothing here, since \(what)"
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
