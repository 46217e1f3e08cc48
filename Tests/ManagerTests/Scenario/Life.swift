import Glibc
import TestDesktop

/// Windows are withdrawn and mapped again, with and without notifying the manager.
extension Step {
    static let withdrawing: [Step] = [
        .withdraw("alpha"), .map("alpha"), .focus("alpha"),
        .hide(.iconify, "alpha"), .withdraw("alpha", " while it is iconified", needs: [.iconify]),
        .mapAgain("alpha", after: .iconify), .focus("alpha"),
        .hide(.leaveDesktop, "alpha"),
        .withdraw("alpha", " while its desktop is hidden", needs: [.leaveDesktop, .withdrawHidden]),
        .show(.returnToDesktop, "beta"), .mapAgain("alpha", after: .leaveDesktop, .withdrawHidden),
        .focus("alpha"),
        Step(
            "alpha unmaps itself without a word", needs: [.unmap], hiding: .unmap,
            isDone: { !$0.isVisible("alpha") },
            act: {
                let scenarioClient = $0.scenarioClient("alpha")
                scenarioClient.life = .unmapped
                scenarioClient.window.unmap()
            }),
        .map("alpha", after: .unmap), .focus("alpha"),
        Step(
            "alpha unmaps and maps itself within 30 ms", needs: [.unmap], isBrief: true,
            isDone: {
                guard $0.isVisible("alpha") else { return false }
                $0.scenarioClient("alpha").life = .mapped
                return true
            },
            act: {
                $0.scenarioClient("alpha").life = .unmapped
                $0.window("alpha").unmap()
                usleep(20_000)
                $0.window("alpha").map()
            }),
        .focus("beta"),
        Step("the client of beta is killed") {
            // Its connection closes like that of a process that ends.
            $0.scenarioClients["beta"] = nil
        },
        Step(
            "beta is started again", isDone: { $0.isVisible("beta") },
            act: {
                let scenarioClient = try $0.make("beta", "Beta", x: 300)
                scenarioClient.life = .mapped
                scenarioClient.window.map()
            }),
    ]

    static let dialogs: [Step] = [
        .focus("alpha"),
        .openDialog("dialog", "Delta"), .focus("dialog"), .close("dialog"), .focus("alpha"),
        .openDialog("own dialog", "Alpha"), .focus("own dialog"), .close("own dialog"), .focus("alpha"),
        Step(
            "a window starts iconic", needs: [.startIconic],
            isDone: { $0.isManaged("iconic") },
            act: { rig in
                let scenarioClient = try rig.make("iconic", "Iota", x: 560, y: 300, startsIconic: true)
                scenarioClient.life = .mapped
                scenarioClient.window.map()
            }),
        Step("the client of that ends", needs: [.startIconic]) { $0.scenarioClients["iconic"] = nil },
        .focus("alpha"),
    ]

    private static func mapAgain(_ name: String, after requests: Request...) -> Step {
        Step(
            "map \(name) again", needs: requests, isDone: { $0.isVisible(name) },
            act: {
                $0.scenarioClient(name).life = .mapped
                $0.window(name).map()
            })
    }

    private static func close(_ name: String) -> Step {
        Step("close \(name)") {
            $0.window(name).withdraw()
            $0.window(name).destroy()
            $0.scenarioClients[name] = nil
        }
    }

    private static func openDialog(_ name: String, _ application: String) -> Step {
        Step(
            "open \(name)", isDone: { $0.isVisible(name) },
            act: {
                let scenarioClient = try $0.make(name, application, x: 300, y: 300, parent: "alpha")
                scenarioClient.life = .mapped
                scenarioClient.window.map()
            })
    }
}
