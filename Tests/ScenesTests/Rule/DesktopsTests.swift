import Testing

@testable import Scenes

@Suite struct DesktopsTests {
    @Test(arguments: [
        RuleCase("bspwm shows two desktops on two monitors", .visible) { $1.desktop = 4 },
        RuleCase("kwin unmaps nothing", .background(.desktop)) {
            $0.haveOwnCompositor()
            $1.desktop = 1
        },
        RuleCase("kwin's current desktop", .visible) { desktop, _ in desktop.haveOwnCompositor() },
        RuleCase("all desktops", .visible) {
            $0.haveOwnCompositor()
            $1.desktop = WindowFacts.allDesktops
        },
        RuleCase("sticky, with the number of one desktop", .visible) {
            $0.haveOwnCompositor()
            $1.desktop = 1
            $1.states = .sticky
        },
        RuleCase("no number", .visible) {
            $0.haveOwnCompositor()
            $1.desktop = nil
        },
        RuleCase("no current desktop is reported", .visible) {
            $0.haveOwnCompositor()
            $0.screen.currentDesktop = nil
            $1.desktop = 1
        },
        RuleCase("HIDDEN and no current desktop, as under Enlightenment", .background(.desktop)) {
            $0.haveOwnCompositor()
            $0.screen.currentDesktop = nil
            $1.states = .hidden
        },
        RuleCase("the same of an unknown manager", .visible) {
            $0.haveOwnCompositor()
            $0.haveUnknownManager()
            $0.screen.currentDesktop = nil
            $1.states = .hidden
        },
        RuleCase("Iconic, with another number, of an unknown manager", .background(.iconify)) {
            $0.haveUnknownManager()
            $1.iconify()
            $1.desktop = 1
        },
        RuleCase("on another activity, as kwin shows it by its frame", .background(.desktop)) {
            $0.haveOwnCompositor()
            $0.putFrame(around: &$1)
            $0.stacking[0xF00]?.takesInput = false
        },
        RuleCase("the same with the focus", .visible) {
            $0.haveOwnCompositor()
            $0.putFrame(around: &$1)
            $0.stacking[0xF00]?.takesInput = false
            $0.inputFocus = .window(1)
        },
        RuleCase("the same without compositing, as of a program that clicks go through", .visible) {
            $0.putFrame(around: &$1)
            $0.stacking[0xF00]?.takesInput = false
        },
        RuleCase("a window without a frame that clicks go through", .visible) {
            $0.haveOwnCompositor()
            $1.takesInput = false
            $1.topLevel = 1
        },
        RuleCase("below a desktop window, as under kwin", .background(.showDesktop)) { desktop, _ in
            desktop.showDesktop(stacking: [1, 9])
        },
        RuleCase("above the desktop window", .visible) { desktop, _ in
            desktop.showDesktop(stacking: [9, 1])
        },
        RuleCase("below an ordinary window", .visible) { desktop, _ in
            desktop.showDesktop(stacking: [9, 1, 2])
            desktop.cover()
        },
        RuleCase("not stacked at all", .visible) { desktop, _ in desktop.showDesktop(stacking: [9]) },
        RuleCase("below a desktop window that is not shown off", .visible) { desktop, _ in
            desktop.showDesktop(stacking: [1, 9])
            desktop.screen.isShowingDesktop = false
        },
        RuleCase("without a desktop window", .visible) { desktop, _ in
            desktop.screen.isShowingDesktop = true
            desktop.screen.stacking = [1]
        },
    ])
    func theNumberAndTheDesktopWindowDecideForOwnCompositorsOnly(_ example: RuleCase) {
        #expect(example.visibility == example.expected)
    }
}
