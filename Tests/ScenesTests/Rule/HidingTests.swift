import Testing

@testable import Scenes

@Suite struct HidingTests {
    @Test(arguments: [
        RuleCase("unmapped by itself", .background(.unmap)) { $1.mapState = .unmapped },
        RuleCase("its frame unmapped", .background(.unmap)) { $1.mapState = .unviewable },
        RuleCase("Iconic", .background(.iconify)) {
            $1.state = .iconic
            $1.mapState = .unmapped
        },
        RuleCase("HIDDEN and unmapped", .background(.iconify)) {
            $1.states = .hidden
            $1.mapState = .unmapped
        },
        RuleCase("Iconic and still viewable, as under mutter", .background(.iconify)) {
            $0.haveOwnCompositor()
            $1.state = .iconic
        },
        RuleCase("Iconic on another desktop", .background(.desktop)) {
            $1.iconify()
            $1.desktop = 1
        },
        RuleCase("Normal and unmapped on another desktop", .background(.desktop)) {
            $1.mapState = .unmapped
            $1.desktop = 1
        },
        RuleCase("Iconic and viewable on another desktop, as under mutter", .background(.desktop)) {
            $0.haveOwnCompositor()
            $1.state = .iconic
            $1.desktop = 1
        },
        RuleCase("Iconic on all desktops", .background(.iconify)) {
            $1.iconify()
            $1.desktop = WindowFacts.allDesktops
        },
        RuleCase("Iconic, sticky, with a stale desktop", .background(.iconify)) {
            $1.iconify()
            $1.desktop = 1
            $1.states.insert(.sticky)
        },
        RuleCase("Normal and unmapped while the desktop is shown", .background(.showDesktop)) {
            $0.screen.isShowingDesktop = true
            $1.mapState = .unmapped
        },
        RuleCase("Iconic while the desktop is shown", .background(.showDesktop)) {
            $0.screen.isShowingDesktop = true
            $1.iconify()
        },
        RuleCase("Iconic and SHADED and unmapped, as under metacity", .background(.shade)) {
            $1.iconify()
            $1.states.insert(.shaded)
        },
        RuleCase("beyond the right edge", .background(.offscreen)) { $1.move(1280, 0) },
        RuleCase("beyond the lower edge", .background(.offscreen)) { $1.move(0, 800) },
        RuleCase("beyond the left edge", .background(.offscreen)) { $1.move(-200, 0) },
        RuleCase("beyond the upper edge", .background(.offscreen)) { $1.move(0, -100) },
        RuleCase("one pixel on the right", .visible) { $1.move(1279, 0) },
        RuleCase("one pixel below", .visible) { $1.move(0, 799) },
        RuleCase("one pixel on the left", .visible) { $1.move(-199, 0) },
        RuleCase("one pixel above", .visible) { $1.move(0, -99) },
        RuleCase("its geometry not read yet", .visible) { $1.geometry = nil },
        RuleCase("SHADED, and its frame is not known yet", .background(.shade)) {
            $1.states = .shaded
            $1.topLevel = 0xF00
        },
        RuleCase("SHADED and in a frame of a title bar", .background(.shade)) {
            $1.states = .shaded
            $0.putFrame(around: &$1, height: 20)
        },
        RuleCase("SHADED, in a frame of a title bar and Iconic, as under openbox", .background(.shade)) {
            $1.states = .shaded
            $1.state = .iconic
            $0.putFrame(around: &$1, height: 20)
        },
        RuleCase("SHADED and unmapped", .background(.shade)) {
            $1.states = .shaded
            $1.mapState = .unmapped
        },
        RuleCase("SHADED, in a frame of full size: bspwm only pretends", .visible) {
            $1.states = .shaded
            $0.putFrame(around: &$1)
        },
        RuleCase("SHADED, in a frame of full size, as all is to a compositing manager", .background(.shade)) {
            $0.haveOwnCompositor()
            $1.states = .shaded
            $0.putFrame(around: &$1)
        },
        RuleCase("SHADED and unmapped on another desktop", .background(.desktop)) {
            $1.states = .shaded
            $1.mapState = .unmapped
            $1.desktop = 1
        },
        RuleCase("beyond the right edge and HIDDEN, without a manager", .background(.offscreen)) {
            $0.screen.manager = nil
            $1.states = .hidden
            $1.move(1280, 0)
        },
        RuleCase("Iconic for long in a frame, beside a compositor", .visible) {
            $0.screen.isComposited = true
            $0.putFrame(around: &$1)
            $1.state = .iconic
        },
        RuleCase("HIDDEN, of a manager that composites and has desktops", .visible) {
            $0.haveOwnCompositor()
            $1.states = .hidden
        },
        RuleCase("SHADED, in a frame of full size and Iconic", .visible) {
            $1.states = .shaded
            $1.state = .iconic
            $0.putFrame(around: &$1)
        },
    ])
    func aSceneThatIsNotShownIsInTheBackgroundForAReason(_ example: RuleCase) {
        #expect(example.visibility == example.expected)
    }

    /// Without a frame, a dead window manager wrote the state: one without frames that is alive unmaps windows.
    @Test(arguments: [true, false])
    func iconicIsBelievedOfAShownWindowOnlyIfItIsNewInAFrameOrTheManagerComposites(_ isFramed: Bool) {
        var desktop = Desktop.managed()
        desktop.add(
            .client(1).with {
                $0.state = .iconic
                if isFramed { $0.topLevel = 9 }
            })
        func reading(iconic: Set<UInt32>) -> Cause? {
            Rule(desktop, .focus, iconic: iconic).scenes.values.first?.hiding
        }
        #expect(reading(iconic: []) == nil)
        #expect(reading(iconic: [1]) == (isFramed ? .iconify : nil))
        // Whether the window manager composites is not known of one without a check window.
        desktop.stacking.add(9)
        desktop.stacking[9]?.geometry = Rectangle(x: 100, y: 100, width: 200, height: 100)
        var shaded = desktop
        shaded.edit(1) { $0.states = .shaded }
        if isFramed { #expect(Rule(shaded, .focus, iconic: [1]).scenes.values.first?.hiding == nil) }
        (desktop.screen.isComposited, desktop.screen.manager) = (true, .init())
        #expect(reading(iconic: []) == (isFramed ? .iconify : nil))
        desktop.haveOwnCompositor()
        #expect(reading(iconic: []) == .iconify)
    }

    /// Any client can write these properties on any window.
    @Test(arguments: [
        RuleCase("SHADED, in a frame of full size", .visible) {
            $1.states = .shaded
            $0.putFrame(around: &$1)
        },
        RuleCase("SHADED, of a manager that composites", .visible) {
            $0.haveOwnCompositor()
            $1.states = .shaded
            $0.putFrame(around: &$1)
        },
        RuleCase("SHADED, in a frame of a title bar", .background(.shade)) {
            $1.states = .shaded
            $0.putFrame(around: &$1, height: 20)
        },
        RuleCase("Iconic", .visible) { $1.state = .iconic },
        RuleCase("Iconic, of a manager that composites", .visible) {
            $0.haveOwnCompositor()
            $1.state = .iconic
        },
        RuleCase("Iconic while mutter shows the desktop", .background(.showDesktop)) {
            $0.haveOwnCompositor()
            $0.screen.isShowingDesktop = true
            $1.state = .iconic
        },
        RuleCase("HIDDEN and covered", .visible) {
            $0.cover()
            $1.states = .hidden
        },
        RuleCase("on another desktop, of a manager that composites", .visible) {
            $0.haveOwnCompositor()
            $1.desktop = 1
        },
        RuleCase("not listed", .visible) { desktop, _ in desktop.screen.clients = [] },
    ])
    func aWindowThatTakesTheKeysIsHiddenOnlyByWhatTheServerShows(_ example: RuleCase) {
        for focus in [Desktop.InputFocus.window(1), .underPointer(1)] {
            let focused = RuleCase(example.testDescription, example.expected) {
                $0.inputFocus = focus
                $1.topLevel = 8
                example.arrange(&$0, &$1)
            }
            #expect(focused.visibility == focused.expected, "\(focus)")
        }
    }
}

extension SeenWindow {
    fileprivate mutating func move(_ x: Int32, _ y: Int32) {
        self.geometry?.x = x
        self.geometry?.y = y
    }
}
