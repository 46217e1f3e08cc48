import TestDesktop

/// One action of the scenario.
struct Step: Sendable {
    let name: String
    /// What the window manager must be able to do.
    let needs: [Wish]
    /// The window it is about and the cause that is told of its change.
    var cause: (window: String, cause: String)?
    let act: @Sendable (Rig) throws -> Void
    /// Another manager takes over, which is told in the end.
    var isTakeover = false
    /// Whether the screen shows that it was done.
    let isDone: @Sendable (Rig) throws -> Bool

    init(
        _ name: String, needs: [Wish] = [], cause: (String, String)? = nil,
        isTakeover: Bool = false,
        isDone: @escaping @Sendable (Rig) throws -> Bool = { _ in true },
        act: @escaping @Sendable (Rig) throws -> Void
    ) {
        self.name = name
        self.needs = needs
        self.cause = cause.map { (window: $0.0, cause: $0.1) }
        self.isTakeover = isTakeover
        self.isDone = isDone
        self.act = act
    }
}

extension Step {
    /// Asks the window manager for something that is to be seen on the screen.
    static func wish(
        _ wish: Wish, _ name: String, cause: String? = nil,
        isDone: @escaping @Sendable (Rig) throws -> Bool = { _ in true }
    ) -> Step {
        Step(
            "\(wish.rawValue) \(name)", needs: [wish], cause: cause.map { (name, $0) }, isDone: isDone,
            act: {
                try $0.ask(wish, name)
            })
    }

    static func focus(_ name: String) -> Step {
        Step("focus \(name)", isDone: { try $0.hasKeys(name) }, act: { try $0.ask(.focus, name) })
    }

    /// A wish that hides a window.
    static func hide(_ wish: Wish, _ name: String, cause: String? = nil) -> Step {
        .wish(wish, name, cause: cause, isDone: { !$0.isVisible(name) })
    }

    /// A wish that brings a window back.
    static func show(_ wish: Wish, _ name: String, cause: String? = nil) -> Step {
        .wish(wish, name, cause: cause, isDone: { $0.isVisible(name) })
    }
}
