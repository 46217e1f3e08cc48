import TestDesktop
import Testing

extension Rig {
    /// Whether it is told rightly why the scenes changed.
    ///
    /// What another manager does with the windows when it takes over is its affair, and what one does late
    /// that is stopped is told for a later step.
    func checkCauses(of step: Step, _ lines: [Line]) {
        guard !step.isTakeover && !isSlowed else { return }
        for line in lines where line.kind == "scene" {
            #expect(
                line.cause == causes(of: step).cause(of: line), "\(manager), \(step.name): \(line.evidence)")
        }
    }

    /// What is to be told as the cause of what a step brings about.
    func causes(of step: Step) -> RecordedTruth.Causes {
        RecordedTruth.Causes(
            opened: step.regroups ? "regroup" : "open", closed: step.regroups ? "regroup" : "close",
            fall: manager.cause(of: step.hiding), rise: manager.cause(ofEnd: step.hiding))
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
