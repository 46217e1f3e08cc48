import ArgumentParser
import PhaseWatch

/// The choice of a window by a click, instead of a name.
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
}
