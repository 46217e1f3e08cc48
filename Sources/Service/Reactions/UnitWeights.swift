import Hooks
import System

/// The CPU and I/O weights and the CPU quota of a systemd unit of the user.
///
/// They are changed through the service manager, which may rewrite the files of its control groups at any time.
struct UnitWeights {
    /// The cgroup2 controllers that have weights.
    static let controllers = ["cpu", "io"]
    private static let notSet = "[not set]"

    /// Returns the controllers that these reactions need.
    static func controllers(for builtIns: Set<BuiltIn>) -> [String] {
        if builtIns.contains(.slow) { return controllers }
        return builtIns.contains(.cap) ? ["cpu"] : []
    }

    let unit: String

    /// Returns the assignments that restore the current weights.
    ///
    /// - Parameter path: The control group of the unit, which must be the group that the user's service manager has for
    ///   it.
    func present(at path: String) throws -> [String] {
        let values = try values(of: Hold.weightNames, at: path)
        return Hold.weightNames.map { name in
            "\(name)=\(values[name].flatMap { $0 == Self.notSet ? nil : $0 } ?? "")"
        }
    }

    /// Returns the assignment that restores the current quota.
    func quota(at path: String) throws -> String {
        let name = "CPUQuotaPerSecUSec"
        guard let text = try values(of: [name], at: path)[name], text != "infinity" else {
            return "CPUQuota="
        }
        guard let time = Self.microseconds(text) else {
            throw SystemError.refused("\(unit) has a CPU quota that cannot be read: \(text)")
        }
        // CPUQuota= accepts at most two decimals.
        return "CPUQuota=\(Double(time / 100) / 100)%"
    }

    /// Parses a time as systemctl(1) prints it, such as `1min 30.500s`.
    static func microseconds(_ text: String) -> Int? {
        let units = ["us": 1.0, "ms": 1e3, "s": 1e6, "min": 6e7, "h": 3.6e9]
        var sum = 0.0
        for word in text.split(separator: " ") {
            let unit = String(word.drop { $0.isNumber || $0 == "." })
            guard let factor = units[unit], let number = Double(word.dropLast(unit.count)) else { return nil }
            sum += number * factor
        }
        return sum > 0 ? Int(exactly: sum.rounded()) : nil
    }

    private func values(of names: [String], at path: String) throws -> [String: String] {
        let asked = (["ControlGroup"] + names).flatMap { ["-p", $0] }
        let output = try ToolOutput(of: ["systemctl", "--user", "show"] + asked + ["--", unit])
        let pairs = output.lines.map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        let values = Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
        guard let group = values["ControlGroup"], group.count > 1, path.hasSuffix(group) else {
            throw SystemError.refused("\(unit) is not a unit of your service manager")
        }
        return values
    }

    /// Restores the weights. Does nothing if the unit no longer exists.
    func restore(_ weights: [String]) throws {
        do {
            try set(weights)
        } catch {
            let state = try? ToolOutput(of: ["systemctl", "--user", "show", "-p", "ActiveState", "--", unit])
            if state?.lines != ["ActiveState=inactive"] { throw error }
        }
    }

    func set(_ weights: [String]) throws {
        try ToolOutput(of: ["systemctl", "--user", "set-property", "--runtime", "--", unit] + weights)
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
