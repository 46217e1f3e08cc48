import TestDesktop

/// One action of the scenario.
struct Step: Sendable {
    let name: String
    /// The requests that the window manager must be able to fulfil.
    let needs: [Request]
    /// The request that hides the windows that this step hides or shows; nil if it does neither.
    var hiding: Request?
    /// The causes of changes that the window manager does not make; nil if it makes them all.
    var limit: (fall: String, rise: String)?
    let act: @Sendable (Rig) throws -> Void
    /// Whether windows change their WM_CLASS.
    var regroups = false
    /// Whether another manager takes over, which is reported in the end.
    var isTakeover = false
    /// Whether the requests follow each other within the settle time on a machine that does not stall. The majority of
    /// five attempts decides such a step.
    var isBrief = false
    /// Returns whether the screen shows the result of the step.
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
    /// Sends the window manager a request whose result shows on the screen.
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

    /// Sends a request that hides a window.
    static func hide(_ request: Request, _ name: String) -> Step {
        .request(request, name, isDone: { !$0.isVisible(name) })
    }

    /// Sends a request that shows a window again.
    static func show(_ request: Request, _ name: String) -> Step {
        .request(request, name, isDone: { $0.isVisible(name) })
    }
}
