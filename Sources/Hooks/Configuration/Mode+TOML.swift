import Console
import PhaseWatch
import System

extension Hook {
    private static let modeKeys = Vocabulary(
        one: "key", many: "keys of a mode",
        words: [
            "name", "application", "instance", "process", "desktop", "exclude",
            "while", "others", "after", "do", "cap", "except", "power",
        ])

    /// Reads a `[[mode]]` table: a pair for the other applications in any phase, which reacts while the mode is on. A
    /// focused application is never frozen, a visible one only if `others` contains no pattern. Returns nil and leaves
    /// the faults in the reader if the table is wrong.
    init?(mode reader: inout TableReader) {
        reader.refuseKeys(notIn: Self.modeKeys, above: Configuration.keys)
        let name = reader.hookName()
        let mode = Mode(Criteria(&reader), while: reader.words("while"))
        let others = reader.patterns("others")
        let (builtIns, cap, except) = reader.builtIns()
        let after = reader.duration("after")
        let power: Power? = reader.word("power")
        for (key, purpose) in [
            ("while", "the phases of the application that turn the mode on"),
            ("others", "the applications that the mode acts on"),
            ("do", "what the mode does to them"),
        ] where !reader.has(key) {
            reader.fault(key, "it is missing: \(purpose)")
        }
        if !["application", "instance", "process"].contains(where: reader.has) {
            reader.fault("application", "it is missing: which application turns the mode on")
        }
        let seen: Set<ScenePhase> = others.allSatisfy(\.isName) ? [.inactive, .background] : [.background]
        let phases = builtIns.contains(.freeze) ? seen : Set(ScenePhase.allCases)
        for fault in Hook.faults(in: builtIns, while: phases, level: .application, of: others) {
            reader.fault("do", fault)
        }
        guard reader.faults.isEmpty, let name else { return nil }
        self.init(
            name: name, reaction: .pair(Pair(phases: phases, builtIns: builtIns, except: except, cap: cap)))
        condition.criteria.application = others
        condition.criteria.exclude = mode.criteria.application
        condition.initial = true
        self.mode = mode
        self.after = after ?? self.after
        self.power = power
    }
}
