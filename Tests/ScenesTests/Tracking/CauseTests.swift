import Testing

@testable import Scenes

/// A description of what happens to window a, the steps, and the cause in the last line.
struct CauseCase: Sendable, CustomTestStringConvertible {
    typealias Step = @Sendable (inout Timeline) -> Void

    let testDescription: String
    let cause: Cause
    private let steps: [Step]

    init(_ sentence: String, _ cause: Cause, _ steps: Step...) {
        testDescription = sentence
        self.cause = cause
        self.steps = steps
    }

    /// The causes of all lines about window a and its successors, in order.
    var reported: [Cause] {
        var timeline = Timeline("a", "b", focus: "b")
        for step in steps {
            step(&timeline)
            timeline.wait(2_000)
        }
        let xid = timeline.names["a"]
        return timeline.changes(.scene).filter { $0.scene?.id.xid == xid }.map(\.cause)
    }

    static let lasting = [
        CauseCase("it was there", .start),
        CauseCase("it opens", .open, { $0.destroy("a") }, { $0.open("a") }),
        CauseCase("it is destroyed", .close, { $0.destroy("a") }),
        CauseCase("it withdraws", .close, { $0.withdraw("a") }),
        CauseCase("it gets the focus", .focus, { $0.focus("a") }),
        CauseCase("it loses the focus", .blur, { $0.focus("a") }, { $0.focus(nil) }),
        CauseCase("its class changes", .regroup, { $0.edit("a") { $0.className = "New" } }),
        CauseCase("its manager dies", .windowManager, { $0.focus("a") }, { $0.killManager() }),
    ]

    /// Steps that hide window a and show it again, with the cause of the latter.
    static let hiding = [
        CauseCase("unmapped", .map, { $0.unmap("a") }, { $0.map("a") }),
        CauseCase("iconified", .deiconify, { $0.iconify("a") }, { $0.deiconify("a") }),
        CauseCase("on another desktop", .desktop, { $0.goToDesktop(1) }, { $0.goToDesktop(0) }),
        CauseCase("behind the desktop", .showDesktop, { $0.showDesktop(true) }, { $0.showDesktop(false) }),
        CauseCase(
            "shaded", .shade,
            {
                $0.edit("a") {
                    $0.states = .shaded
                    $0.topLevel = 0xF00
                }
            },
            { $0.edit("a") { $0.states = [] } }),
        CauseCase(
            "behind a tab", .tab,
            { $0.edit("a") { $0.states = .hidden } },
            { $0.edit("a") { $0.states = [] } }),
        CauseCase(
            "off-screen", .offscreen, { $0.edit("a") { $0.geometry?.x = 5_000 } },
            { $0.edit("a") { $0.geometry?.x = 0 } }),
    ]
}

@Suite struct CauseTests {
    @Test(arguments: CauseCase.lasting)
    func aCauseIsPrintedInOneWord(_ example: CauseCase) {
        #expect(example.reported.last == example.cause)
    }

    @Test(arguments: CauseCase.hiding)
    func namesWhatHidAWindowAndWhatShowedItAgain(_ example: CauseCase) {
        let hiding: Cause =
            switch example.cause {
            case .map: .unmap
            case .deiconify: .iconify
            default: example.cause
            }
        #expect(example.reported == [.start, hiding, example.cause])
    }

    @Test func theWordsAreThoseOfTheContract() {
        #expect(
            Cause.allCases.map(\.rawValue) == [
                "start", "open", "close", "focus", "blur", "iconify", "deiconify", "desktop", "show-desktop",
                "shade", "tab", "offscreen", "map", "unmap", "regroup", "away", "back", "lock", "unlock",
                "display-off", "display-on", "covered", "uncovered", "idle", "return", "window-manager",
                "title", "resync",
            ])
    }
}

extension Timeline {
    fileprivate mutating func showDesktop(_ isShown: Bool) {
        change { desktop in
            desktop.screen.isShowingDesktop = isShown
            for xid in desktop.windows.windows.map(\.id.xid) {
                desktop.edit(xid) { $0.mapState = isShown ? .unmapped : .viewable }
            }
        }
    }
}
