import Testing

@testable import Scenes

@Suite struct TabTests {
    @Test(arguments: [
        RuleCase("behind another tab", .background(.tab)) { desktop, _ in desktop.cover() },
        RuleCase("behind a tab that is split in two", .background(.tab)) { desktop, _ in
            desktop.addPart(2, x: 100, width: 120)
            desktop.addPart(3, x: 220, width: 80)
        },
        RuleCase("behind a tab of which one part is missing", .visible) { desktop, _ in
            desktop.addPart(2, x: 100, width: 120)
        },
        RuleCase("a part of a split tab, behind one that is whole", .background(.tab)) {
            $0.add(.client(3).with { $0.states = .hidden })
            $0.edit(3) { $0.geometry = Rectangle(x: 220, y: 100, width: 80, height: 100) }
            $1.geometry?.width = 110
            $0.cover()
        },
        RuleCase("behind a split tab with a title bar of its own", .background(.tab)) { desktop, _ in
            desktop.addPart(2, x: 100, width: 120, y: 118)
            desktop.addPart(3, x: 220, width: 80, y: 118)
            desktop.addFrame(8, Rectangle(x: 100, y: 100, width: 200, height: 18))
        },
        RuleCase("with a smaller border than the tab in front", .background(.tab)) {
            $0.haveFrame(7, of: &$1)
            $0.add(.client(2).with { $0.geometry = Rectangle(x: 110, y: 120, width: 180, height: 70) })
            $0.addFrame(8, Rectangle(x: 90, y: 90, width: 220, height: 120))
            $0.edit(2) { $0.topLevel = 8 }
        },
        RuleCase("restored, and not covered", .visible),
        RuleCase("restored, and covered by chance", .visible) { desktop, _ in
            desktop.cover()
            desktop.edit(2) { $0.geometry = Rectangle(width: 1280, height: 800) }
        },
        RuleCase("above the other", .visible) { desktop, _ in
            desktop.cover()
            desktop.stacking.raise(1)
        },
        RuleCase("focused", .visible) { desktop, _ in
            desktop.cover()
            desktop.screen.activeWindow = 1
        },
        RuleCase("covered only by what is unmapped", .visible) { desktop, _ in
            desktop.cover()
            desktop.edit(2) { $0.mapState = .unmapped }
        },
        RuleCase("covered only by what is not managed", .visible) { desktop, _ in
            desktop.cover()
            desktop.edit(2) { $0.withdrewItself = true }
        },
        RuleCase("covered only by a desktop window, which lies below", .visible) { desktop, _ in
            desktop.cover()
            desktop.edit(2) { $0.kind = .desktop }
        },
    ])
    func aHiddenWindowIsATabBehindTheFramesThatFillItsPlace(_ example: RuleCase) {
        let hidden = RuleCase(example.testDescription, example.expected) {
            $1.states = .hidden
            example.arrange(&$0, &$1)
        }
        #expect(hidden.visibility == example.expected)
    }

    @Test func aWindowThatIsCoveredIsNoTabWithoutHIDDEN() {
        #expect(RuleCase("", .visible) { desktop, _ in desktop.cover() }.visibility == .visible)
    }

    @Test(arguments: [
        RuleCase("below the other", .background(.tab)) { $1.frameLevel = 0 },
        RuleCase("above the other", .visible) { $1.frameLevel = 9 },
        RuleCase("at an unknown level", .visible) { $1.frameLevel = nil },
        RuleCase("focused", .visible) {
            $0.screen.activeWindow = 1
            $1.frameLevel = 0
        },
        RuleCase("beside the other", .visible) {
            $1.frameLevel = 0
            $1.geometry?.x = 0
        },
        RuleCase("of another frame", .visible) {
            $1.frameLevel = 0
            $1.topLevel = 9
        },
        RuleCase("below one that is not managed", .visible) {
            $0.edit(2) { $0.withdrewItself = true }
            $1.frameLevel = 0
        },
        RuleCase("below one that is gone", .visible) {
            $0.remove(2)
            $1.frameLevel = 0
        },
        RuleCase("below one that is unmapped", .visible) {
            $0.edit(2) { $0.mapState = .unmapped }
            $1.frameLevel = 0
        },
    ])
    func onlyTheTopmostClientOfOneFrameIsInFront(_ example: RuleCase) {
        let framed = RuleCase(example.testDescription, example.expected) {
            $0.add(.client(2).with { ($0.topLevel, $0.frameLevel) = (8, 5) })
            $1.topLevel = 8
            example.arrange(&$0, &$1)
        }
        #expect(framed.visibility == example.expected)
    }

    @Test func theTabsAreThoseBehindAndThoseInFront() {
        var desktop = Desktop.managed()
        desktop.add(.client(1).with { $0.states = .hidden })
        desktop.add(.client(5).with { ($0.topLevel, $0.frameLevel) = (9, 0) })
        desktop.add(.client(6).with { ($0.topLevel, $0.frameLevel) = (9, 1) })
        desktop.add(.client(4).with { $0.geometry?.x = 500 })
        desktop.addPart(2, x: 100, width: 120)
        desktop.addPart(3, x: 220, width: 80)
        #expect(Rule(desktop, .focus).tabs.all == [1, 2, 3, 5, 6])
    }

    @Test(
        arguments: [
            (WindowFacts.States(), Change.Extent.tab), (.fullscreen, .fullscreen),
            ([.maximizedVertically, .maximizedHorizontally], .tab),
        ] as [(WindowFacts.States, Change.Extent)])
    func aTabThatIsFullscreenHasThatExtent(_ states: WindowFacts.States, extent: Change.Extent) {
        var desktop = Desktop.managed()
        desktop.add(.client(1).with { $0.states = states.union(.hidden) })
        desktop.cover()
        let slot = desktop.windows.slot(of: 1)
        #expect(slot.map { desktop.windows.extent($0, among: Tabs(on: desktop)) } == extent)
    }

    @Test(
        arguments: [
            (.maximizedVertically, Change.Extent.window), (.maximizedHorizontally, .window),
            ([.maximizedVertically, .maximizedHorizontally], .maximized),
        ] as [(WindowFacts.States, Change.Extent)])
    func aWindowIsMaximizedInBothDirections(_ states: WindowFacts.States, extent: Change.Extent) {
        var desktop = Desktop.managed()
        desktop.add(.client(1).with { $0.states = states })
        let slot = desktop.windows.slot(of: 1)
        #expect(slot.map { desktop.windows.extent($0, among: Tabs()) } == extent)
    }
}

extension Desktop {
    /// Adds a window that covers a part of the first one.
    fileprivate mutating func addPart(_ xid: UInt32, x: Int32, width: Int32, y: Int32 = 100) {
        add(.client(xid).with { $0.geometry = Rectangle(x: x, y: y, width: width, height: 200 - y) })
    }

    fileprivate mutating func addFrame(_ xid: UInt32, _ geometry: Rectangle) {
        stacking.add(xid)
        stacking[xid]?.geometry = geometry
        stacking[xid]?.mapState = .viewable
    }

    /// Puts the first window into a frame.
    fileprivate mutating func haveFrame(_ frame: UInt32, of window: inout SeenWindow) {
        addFrame(frame, Rectangle(x: 90, y: 90, width: 220, height: 120))
        window.topLevel = frame
    }
}
