import TestDesktop

/// One action of the scenario.
struct Step: Sendable {
    let name: String
    /// What the window manager must be able to do.
    let needs: [Request]
    /// The request that hides the windows which the step hides or shows; nil if it does neither.
    var hiding: Request?
    /// The causes of what comes of it otherwise than by the window manager.
    var limit: (fall: String, rise: String)?
    let act: @Sendable (Rig) throws -> Void
    /// Windows change their WM_CLASS.
    var regroups = false
    /// Another manager takes over, which is reported in the end.
    var isTakeover = false
    /// Its requests follow each other within the settle time, on a machine that lets everything run in time: it is judged by
    /// the most of five attempts.
    var isBrief = false
    /// Whether the screen shows that it was done.
    let isDone: @Sendable (Rig) throws -> Bool

    init(
        _ name: String, needs: [Request] = [], hiding: Request? = nil, isTakeover: Bool = false,
        isBrief: Bool = false, regroups: Bool = false, limit: (fall: String, rise: String)? = nil,
        isDone: @escaping @Sendable (Rig) throws -> Bool = { _ in true },
        act: @escaping @Sendable (Rig) throws -> Void
    ) {
        self.name = name
        self.needs = needs
        self.hiding = hiding
        self.regroups = regroups
        self.isTakeover = isTakeover
        self.isBrief = isBrief
        self.limit = limit
        self.isDone = isDone
        self.act = act
    }
}

extension Step {
    /// Asks the window manager for something that is to be seen on the screen.
    static func request(
        _ request: Request, _ name: String, isDone: @escaping @Sendable (Rig) throws -> Bool = { _ in true }
    ) -> Step {
        Step(
            "\(request.rawValue) \(name)", needs: [request], hiding: request.hiding, isDone: isDone,
            act: { try $0.ask(request, name) })
    }

    static func focus(_ name: String) -> Step {
        Step("focus \(name)", isDone: { try $0.hasKeys(name) }, act: { try $0.ask(.focus, name) })
    }

    /// A request that hides a window.
    static func hide(_ request: Request, _ name: String) -> Step {
        .request(request, name, isDone: { !$0.isVisible(name) })
    }

    /// A request that brings a window back.
    static func show(_ request: Request, _ name: String) -> Step {
        .request(request, name, isDone: { $0.isVisible(name) })
    }
}
