import Hooks
import System

/// The share that a systemd unit of the user has in the processor and in the disks.
///
/// The service manager is asked for it: it writes the files of its control groups again whenever it likes.
struct UnitWeights {
    /// Of version 2, which have the weights.
    static let controllers = ["cpu", "io"]
    private static let notSet = "[not set]"

    let unit: String

    /// The assignments that bring back what there is now.
    ///
    /// - Parameter path: The control group of the unit, which must be that of the user's service manager.
    func present(at path: String) throws -> [String] {
        let asked = (["ControlGroup"] + Hold.weightNames).flatMap { ["-p", $0] }
        let output = try ToolOutput(of: ["systemctl", "--user", "show"] + asked + ["--", unit])
        let pairs = output.lines.map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        func value(_ name: String) -> String? {
            pairs.first { $0.count == 2 && $0[0] == name }.map { String($0[1]) }
        }
        guard let group = value("ControlGroup"), group.count > 1, path.hasSuffix(group) else {
            throw SystemError.refused("\(unit) is no unit of your service manager")
        }
        return Hold.weightNames.map { name in
            "\(name)=\(value(name).flatMap { $0 == Self.notSet ? nil : $0 } ?? "")"
        }
    }

    /// - Parameter isIdle: It gets the processor only while nobody else wants it.
    func lower(isIdle: Bool) throws {
        try set(["CPUWeight=\(isIdle ? "idle" : "10")", "IOWeight=10"])
    }

    /// Does nothing for a unit that is gone.
    func restore(_ weights: [String]) throws {
        do {
            try set(weights)
        } catch {
            let state = try? ToolOutput(of: ["systemctl", "--user", "show", "-p", "ActiveState", "--", unit])
            if state?.lines != ["ActiveState=inactive"] { throw error }
        }
    }

    private func set(_ weights: [String]) throws {
        try ToolOutput(of: ["systemctl", "--user", "set-property", "--runtime", "--", unit] + weights)
    }

    /// What a controller that is off means.
    static func lack(of controller: String) -> String {
        "the controller '\(controller)' of cgroup2 is off for programs of yours, so that slow and idle have no effect on "
            + "\(controller == "cpu" ? "the processor" : "disks"): see Delegate= in systemd.resource-control(5)"
    }
}
