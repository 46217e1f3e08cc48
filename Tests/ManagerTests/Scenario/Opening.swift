import Glibc

extension Rig {
    /// Makes and maps the windows of every scenario.
    func openAll() throws {
        if manager.raisesDesktopWindow { try showDesktopWindow() }
        _ = try make("alpha", "Alpha", x: 40)
        _ = try make("beta", "Beta", x: 300)
        _ = try make("second", "Alpha", x: 560)
        try perform(["alpha", "beta", "second"].map { .map($0) })
    }
}

/// Windows are mapped, and the focus moves back and forth.
extension Step {
    static let focusing: [Step] = [
        .focus("alpha"), .focus("beta"), .focus("alpha"),
        // Another window of the same application.
        .focus("second"), .focus("alpha"),
        // Managers differ in which of the two windows has the focus in the end.
        Step(
            "focus three times within 60 ms", needs: [.focusQuickly], isBrief: true,
            isDone: { try $0.hasKeys("beta") || $0.hasKeys("alpha") },
            act: {
                rig in
                for _ in 1...3 {
                    try rig.ask(.focus, "alpha")
                    usleep(10_000)
                    try rig.ask(.focus, "beta")
                    usleep(10_000)
                }
            }),
        .focus("alpha"),
        Step("a launcher grabs the keyboard") {
            $0.isKeyboardGrabbed = true
            $0.client.grabKeyboard()
        },
        Step(
            "the launcher ends", isDone: { try $0.hasKeys("alpha") },
            act: {
                $0.client.releaseKeyboard()
                $0.isKeyboardGrabbed = false
            }),
    ]

    /// A window changes to another application, and back.
    static let regrouping: [Step] = [
        .regroup("alpha", to: "Gamma"), .focus("second"), .regroup("alpha", to: "Alpha"),
        .focus("alpha"), .regroup("alpha", to: "Gamma"), .regroup("alpha", to: "Alpha"),
    ]

    private static func regroup(_ name: String, to application: String) -> Step {
        Step("\(name) becomes one of \(application)", regroups: true) {
            let scenarioClient = $0.scenarioClient(name)
            scenarioClient.application = application
            scenarioClient.window.setClass(name, application)
        }
    }

    /// A client maps its window.
    static func map(_ name: String, after hiding: Request? = nil) -> Step {
        Step(
            "map \(name)", needs: hiding.map { [$0] } ?? [], hiding: hiding, isDone: { $0.isVisible(name) },
            act: {
                let scenarioClient = $0.scenarioClient(name)
                scenarioClient.life = .mapped
                scenarioClient.window.map()
            })
    }

    /// A client withdraws its window as ICCCM defines, whether the window is visible or not.
    static func withdraw(_ name: String, _ when: String = "", needs: [Request] = []) -> Step {
        Step(
            "withdraw \(name)\(when)", needs: needs,
            isDone: { !$0.isVisible(name) },
            act: {
                let scenarioClient = $0.scenarioClient(name)
                scenarioClient.life = .withdrawn
                scenarioClient.window.withdraw()
            })
    }
}
