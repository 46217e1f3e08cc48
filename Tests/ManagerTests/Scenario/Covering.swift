/// Windows lie over others: tabs, and what only looks like them.
extension Step {
    static let covering: [Step] = [
        .focus("beta"),
        .cover(.fullscreen, "alpha"), .uncover(.endFullscreen, "alpha", after: .fullscreen),
        .focus("beta"),
        .cover(.tab, "alpha"), .focusInFront("alpha", after: .tab, hides: "beta"),
        .focusInFront("beta", after: .tab, hides: "alpha"), .uncover(.tile, "alpha", after: .tab),
        .cover(.stack, "alpha"), .uncover(.tile, "alpha", after: .stack),
        .cover(.monocle, "alpha"), .focusInFront("alpha", after: .monocle, hides: "beta"),
        .focusInFront("beta", after: .monocle, hides: "alpha"), .uncover(.tile, "alpha", after: .monocle),
        .focus("alpha"),
    ]

    static let monitors: [Step] = [
        .wish(.splitMonitors, "beta", isDone: { $0.isVisible("beta") && $0.isVisible("alpha") }),
        .focusIfAble(.splitMonitors, "beta"), .focusIfAble(.splitMonitors, "alpha"),
        .wish(.joinMonitors, "beta", isDone: { $0.isVisible("beta") && $0.isVisible("alpha") }),
        .focus("alpha"),
    ]

    /// Beta comes to lie over the other windows.
    private static func cover(_ wish: Wish, _ covered: String) -> Step {
        Step(
            "\(wish.rawValue) over \(covered)", needs: [wish], hiding: wish,
            isDone: { !$0.isVisible(covered) && $0.isVisible("beta") },
            act: {
                $0.covering = wish
                try $0.ask(wish, "beta")
            })
    }

    private static func uncover(_ wish: Wish, _ covered: String, after cover: Wish) -> Step {
        Step(
            "\(wish.rawValue) after \(cover.rawValue)", needs: [cover, wish], hiding: cover,
            isDone: { $0.isVisible(covered) && $0.isVisible("beta") },
            act: {
                try $0.ask(wish, "beta")
                $0.covering = nil
            })
    }

    private static func focusInFront(_ name: String, after cover: Wish, hides other: String) -> Step {
        Step(
            "focus \(name), which is covered by \(cover.rawValue)", needs: [cover, .focusCovered],
            hiding: cover,
            isDone: { rig in try rig.isVisible(name) && !rig.isVisible(other) && rig.hasKeys(name) },
            act: { try $0.ask(.focusCovered, name) })
    }

    private static func focusIfAble(_ wish: Wish, _ name: String) -> Step {
        Step(
            "focus \(name) with \(wish.rawValue)", needs: [wish], isDone: { try $0.hasKeys(name) },
            act: { try $0.ask(.focus, name) })
    }
}
