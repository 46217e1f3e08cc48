/// Windows cover others: as tabs, and in layouts that look like tabs.
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
        .request(.splitMonitors, "beta", isDone: { $0.isVisible("beta") && $0.isVisible("alpha") }),
        .focusIfAble(.splitMonitors, "beta"), .focusIfAble(.splitMonitors, "alpha"),
        .request(.joinMonitors, "beta", isDone: { $0.isVisible("beta") && $0.isVisible("alpha") }),
        .focus("alpha"),
    ]

    /// Makes beta cover the other windows.
    private static func cover(_ request: Request, _ covered: String) -> Step {
        Step(
            "\(request.rawValue) over \(covered)", needs: [request], hiding: request,
            isDone: { !$0.isVisible(covered) && $0.isVisible("beta") },
            act: {
                $0.covering = request
                try $0.ask(request, "beta")
            })
    }

    private static func uncover(_ request: Request, _ covered: String, after cover: Request) -> Step {
        Step(
            "\(request.rawValue) after \(cover.rawValue)", needs: [cover, request], hiding: cover,
            isDone: { $0.isVisible(covered) && $0.isVisible("beta") },
            act: {
                try $0.ask(request, "beta")
                $0.covering = nil
            })
    }

    private static func focusInFront(_ name: String, after cover: Request, hides other: String) -> Step {
        Step(
            "focus \(name), which is covered by \(cover.rawValue)", needs: [cover, .focusCovered],
            hiding: cover,
            isDone: { rig in try rig.isVisible(name) && !rig.isVisible(other) && rig.hasKeys(name) },
            act: { try $0.ask(.focusCovered, name) })
    }

    private static func focusIfAble(_ request: Request, _ name: String) -> Step {
        Step(
            "focus \(name) with \(request.rawValue)", needs: [request], isDone: { try $0.hasKeys(name) },
            act: { try $0.ask(.focus, name) })
    }
}
