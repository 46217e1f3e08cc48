import TestDesktop

/// One action of the scenario.
struct Step: Sendable {
    let name: String
    /// What the window manager must be able to do.
    let needs: [Wish]
    /// By what windows go to the background or come back from there; nil if none does.
    var hiding: Wish?
    let act: @Sendable (Rig) throws -> Void
    /// Windows change their WM_CLASS.
    var regroups = false
    /// Another manager takes over, which is told in the end.
    var isTakeover = false
    /// Whether the screen shows that it was done.
    let isDone: @Sendable (Rig) throws -> Bool

    init(
        _ name: String, needs: [Wish] = [], hiding: Wish? = nil, isTakeover: Bool = false,
        regroups: Bool = false,
        isDone: @escaping @Sendable (Rig) throws -> Bool = { _ in true },
        act: @escaping @Sendable (Rig) throws -> Void
    ) {
        self.name = name
        self.needs = needs
        self.hiding = hiding
        self.regroups = regroups
        self.isTakeover = isTakeover
        self.isDone = isDone
        self.act = act
    }
}

extension Step {
    /// Asks the window manager for something that is to be seen on the screen.
    static func wish(
        _ wish: Wish, _ name: String, isDone: @escaping @Sendable (Rig) throws -> Bool = { _ in true }
    ) -> Step {
        Step(
            "\(wish.rawValue) \(name)", needs: [wish], hiding: wish.hiding, isDone: isDone,
            act: { try $0.ask(wish, name) })
    }

    static func focus(_ name: String) -> Step {
        Step("focus \(name)", isDone: { try $0.hasKeys(name) }, act: { try $0.ask(.focus, name) })
    }

    /// A wish that hides a window.
    static func hide(_ wish: Wish, _ name: String) -> Step {
        .wish(wish, name, isDone: { !$0.isVisible(name) })
    }

    /// A wish that brings a window back.
    static func show(_ wish: Wish, _ name: String) -> Step {
        .wish(wish, name, isDone: { $0.isVisible(name) })
    }
}
