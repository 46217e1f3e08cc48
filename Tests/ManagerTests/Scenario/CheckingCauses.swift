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
            #expect(line.cause == cause(of: line, in: step), "\(manager), \(step.name): \(line.evidence)")
        }
    }

    private func cause(of line: Line, in step: Step) -> String? {
        switch (line.from, line.to) {
        case (nil, _): step.regroups ? "regroup" : "open"
        case (_, nil): step.regroups ? "regroup" : "close"
        case ("background", _): manager.cause(ofEnd: step.hiding)
        case (_, "background"): manager.cause(of: step.hiding)
        case (_, "active"): "focus"
        default: "blur"
        }
    }
}
