import ArgumentParser
import Console
import PhaseWatch
import Service

/// The choice of applications by name, by the focus, or by a click.
enum Picking {
    /// Throws unless either names or `--pick` are given.
    static func validate(_ pick: Bool, _ subject: SubjectOptions) throws {
        if pick && !subject.names.isEmpty { throw ValidationError("use either '<app>' or --pick") }
        if !pick && subject.names.isEmpty { throw ValidationError("Missing expected argument '<app>'") }
    }

    /// Waits for a click on a window.
    ///
    /// - Throws: `CommandFailure` if no window is chosen.
    static func window(_ inspector: DisplayInspector) throws -> (id: WindowID, scene: WindowID?) {
        switch try inspector.point() {
        case .window(let xid): return (WindowID(xid), try inspector.scene(of: xid)?.scene)
        case .nothing:
            throw CommandFailure.notFound(
                "the click was not on a window of an application")
        case .cancelled: throw CommandFailure.notFound("no window was chosen")
        case .refused:
            throw CommandFailure(
                Exit.system,
                "another program has grabbed the pointer: close the open menu, or end the drag or the screen locker, and try again"
            )
        }
    }

    /// Waits for a click, and returns the scene that the window is part of.
    static func scene(_ inspector: DisplayInspector) throws -> WindowID {
        let window = try window(inspector)
        if let scene = window.scene { return scene }
        throw CommandFailure.notFound(
            "\(window.id) is not a scene; run 'xphase explain \(window.id)' for the reason")
    }

    /// Returns one application for each name, or that with the focus, or that of the picked window. Reports names that
    /// match nothing, unless the words may be meant otherwise.
    static func applications(
        _ names: [Pattern], isFocused: Bool, isPicked: Bool, on display: String, _ io: CommandIO
    ) throws -> [Change] {
        let phases = try ServedPhases(display: display, environment: io.environment)
        var names = names
        if isPicked {
            let inspector = try OpenDisplay.inspector(PhaseMonitor.Options(display: display), nil)
            names = [Pattern("\(try scene(inspector).xid)")]
        } else if isFocused {
            guard let active = try phases.activeScene()?.scene else {
                throw CommandFailure.notFound("no application has the focus")
            }
            names = [Pattern("\(active.id.xid)")]
        }
        let events = try phases.present()
        let applications = events.compactMap(\.change).filter { $0.level == .application }
        var absences: [CommandFailure] = []
        let chosen: [Change] = try names.compactMap { name in
            if let named = applications.first(where: { $0.application == name.text }) { return named }
            let subjects = try Subjects([name], on: display)
            let matches = applications.filter(subjects.concerns)
            if matches.count == 1 { return matches[0] }
            if matches.isEmpty {
                absences.append(subjects.absence(among: events) ?? .noScene(of: name))
                return nil
            }
            let found = matches.map(\.application.escapedForTerminal).sorted().joined(separator: ", ")
            throw CommandFailure.misuse(
                "several applications match '\(subjects.text)'; name those you mean: \(found)")
        }
        if let absence = absences.first, chosen.isEmpty || io.hint() != nil { throw absence }
        absences.flatMap(\.messages).forEach(io.say)
        return chosen
    }
}
