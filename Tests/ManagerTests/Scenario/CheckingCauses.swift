import TestDesktop
import Testing

extension Rig {
    /// Checks the cause of each change of a scene.
    ///
    /// The causes are unknown in two cases: a manager that takes over may change any window, and late actions of a
    /// slowed manager are reported during a later step.
    func checkCauses(of step: Step, _ lines: [Line]) {
        guard !step.isTakeover && !isSlowed else { return }
        for line in lines where line.kind == "scene" {
            #expect(
                line.cause == causes(of: step).cause(of: line), "\(manager), \(step.name): \(line.evidence)")
        }
    }

    /// The causes that xphase must report for the changes of a step.
    func causes(of step: Step) -> RecordedTruth.Causes {
        RecordedTruth.Causes(
            opened: step.regroups ? "regroup" : "open", closed: step.regroups ? "regroup" : "close",
            fall: step.limit?.fall ?? manager.cause(of: step.hiding),
            rise: step.limit?.rise ?? manager.cause(ofEnd: step.hiding))
    }
}

extension RecordedTruth.Causes {
    fileprivate func cause(of line: Line) -> String? {
        switch (line.from, line.to) {
        case (nil, _): opened
        case (_, nil): closed
        case ("background", _): rise
        case (_, "background"): fall
        case (_, "active"): "focus"
        default: "blur"
        }
    }
}
