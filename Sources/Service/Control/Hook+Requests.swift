import Console
import Hooks
import PhaseWatch

/// What commands ask of hooks by name, or have done.
extension Hook {
    /// Whether it is one that 'xphase on' makes: a peer may send any numbers.
    var isReckonable: Bool {
        let times = Duration.zero...Duration.seconds(100 * 366 * 86_400)
        return times.contains(after) && times.contains(timeout) && wake == nil && unless == nil
            && power == nil && mode == nil && condition.chosen == nil
            && !condition.criteria.application.isEmpty
    }

    /// The message about a name that no hook has.
    public static func refusal(of name: String, among names: [String]) -> String {
        let near = NearestWord.to(name, among: names).map { "did you mean '\($0)'?" }
        let valid = names.isEmpty ? "there are none at all" : "there are '\(names.joined(separator: "', '"))'"
        return "there is no hook '\(name)'; \(near ?? valid)".escapedForTerminal
    }
}
