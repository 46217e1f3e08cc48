import Testing

@testable import Scenes

/// The detection of covered windows.
@Suite struct OcclusionTests {
    /// Returns whether window 1 is covered by the larger window 2 above it.
    private func covered(
        isComposited: Bool = false, arrange: (inout Desktop) -> Void = { _ in },
        below: (inout SeenWindow) -> Void = { _ in }, above: (inout SeenWindow) -> Void = { _ in }
    ) -> Bool {
        var desktop = Desktop.judged(isComposited: isComposited)
        desktop.putOnTop(1, 100, 100, 200, 100, below)
        desktop.putOnTop(2, 90, 90, 220, 120, above)
        arrange(&desktop)
        return desktop.covered().contains(1)
    }

    @Test func aWindowIsCoveredByOneAboveIt() {
        #expect(covered())
        #expect(!covered { $0.putOnTop(1, 100, 100, 200, 100) })
        #expect(!covered { $0.putOnTop(2, 101, 90, 220, 120) })
        #expect(!covered { $0.stacking.followsCovers = false })
    }

    @Test func severalTogetherCoverIt() {
        var desktop = Desktop.judged()
        desktop.putOnTop(1, 100, 100, 200, 100)
        desktop.putOnTop(2, 100, 100, 120, 50)
        desktop.putOnTop(3, 220, 90, 120, 60)
        desktop.putOnTop(4, 0, 150, 300, 49)
        #expect(desktop.covered() == [])
        desktop.putOnTop(5, 0, 199, 300, 1)
        #expect(desktop.covered() == [1])
        let cover = desktop.windows.facts(of: 1).flatMap { Rule(desktop, .focus).cover(of: $0) }
        #expect(cover?.area == 20_000)
        #expect(cover?.children == [5, 4, 3, 2])
    }

    @Test func onlyWhatIsMappedAndDrawnHides() {
        #expect(!covered { $0.edit(2) { $0.mapState = .unmapped } })
        #expect(!covered(above: { $0.isInputOnly = true }))
        #expect(!covered(isComposited: true, above: { $0.depth = 0 }))
        #expect(!covered(above: { $0.isShaped = nil }))
        // A compositor keeps it mapped.
        #expect(
            !covered {
                $0.screen.isOwnCompositor = true
                $0.edit(2) { $0.desktop = 3 }
            })
        // Its frame does not show the place that the client reports.
        #expect(
            !covered {
                $0.putOnTop(3, 101, 90, 220, 120)
                $0.forget(3)
                $0.stacking.remove(2)
                $0.edit(2) {
                    $0.geometry = Rectangle(x: 0, y: 0, width: 800, height: 600)
                    $0.topLevel = 3
                }
            })
    }

    @Test func aTranslucentWindowHidesNothingWhereThereIsACompositor() {
        for isComposited in [false, true] {
            #expect(covered(isComposited: isComposited))
            #expect(covered(isComposited: isComposited, above: { $0.isTranslucent = true }) == !isComposited)
            #expect(covered(isComposited: isComposited, above: { $0.depth = 32 }) == !isComposited)
        }
    }

    @Test func aShapedWindowHidesNothingAndCountsAsAWhole() {
        #expect(!covered(above: { $0.isShaped = true }))
        #expect(covered(below: { $0.isShaped = true }))
    }

    @Test func onlyWhatAMonitorShowsCanBeSeen() {
        let arrange = { (desktop: inout Desktop) in desktop.putOnTop(2, 100, 90, 150, 120) }
        #expect(!covered(arrange: arrange))
        #expect(
            covered {
                arrange(&$0)
                $0.screen.monitors = [Rectangle(width: 250, height: 800)]
            })
        #expect(
            !covered {
                arrange(&$0)
                $0.screen.monitors = []
            })
    }

    /// Managers shape frames, and make them larger than a compositor draws them.
    @Test(arguments: [false, true])
    func aFrameHidesWhatItsClientHides(isComposited: Bool) {
        func covered(
            _ geometry: Rectangle, isFrameTranslucent: Bool = false, isFrameKnown: Bool = true,
            _ edit: (inout SeenWindow) -> Void = { _ in }
        ) -> Bool {
            var desktop = Desktop.judged(isComposited: isComposited)
            desktop.putOnTop(1, 100, 100, 200, 100)
            desktop.putOnTop(2, 80, 80, 240, 140) {
                ($0.isShaped, $0.depth, $0.isTranslucent) = (true, 32, isFrameTranslucent)
            }
            if !isFrameKnown { desktop.forget(2) }
            desktop.add(
                .client(3).with {
                    ($0.geometry, $0.topLevel, $0.depth, $0.isShaped) = (geometry, 2, 24, false)
                    edit(&$0)
                })
            return desktop.covered().contains(1)
        }
        let whole = Rectangle(x: 100, y: 100, width: 200, height: 100)
        #expect(covered(whole))
        #expect(!covered(Rectangle(x: 101, y: 100, width: 200, height: 100)))
        #expect(!covered(whole) { $0.isShaped = true })
        #expect(covered(whole) { $0.depth = 32 } == !isComposited)
        #expect(covered(whole) { $0.isTranslucent = true } == !isComposited)
        #expect(covered(whole, isFrameTranslucent: true) == !isComposited)
        #expect(covered(whole, isFrameKnown: false))
        #expect(covered(whole, isFrameTranslucent: true, isFrameKnown: false) == !isComposited)
    }

    /// A maximised window that draws its own title bar, under one in a frame: no pixel of it is seen.
    @Test(arguments: [false, true])
    func aFrameHidesWhatItsExtentsSayThatItDraws(isComposited: Bool) {
        func covered(top: UInt32 = 22, isFrameShaped: Bool? = false, height: Int32 = 120) -> Bool {
            var desktop = Desktop.judged(isComposited: isComposited)
            desktop.putOnTop(1, 0, 0, 200, 120)
            desktop.stacking.add(2)
            desktop.stacking[2]?.geometry = Rectangle(x: -5, y: -5, width: 210, height: height + 5)
            desktop.stacking[2]?.mapState = .viewable
            desktop.stacking[2]?.isShaped = isFrameShaped
            desktop.add(
                .client(3).with {
                    $0.geometry = Rectangle(x: 0, y: 22, width: 200, height: 98)
                    ($0.topLevel, $0.depth, $0.isShaped) = (2, 24, false)
                    $0.frameExtents = WindowFacts.FrameExtents(left: 0, right: 0, top: top, bottom: 0)
                })
            return desktop.covered().contains(1)
        }
        #expect(covered())
        #expect(!covered(top: 21))
        #expect(covered(top: .max))
        // It reaches no farther than the frame.
        #expect(!covered(height: 119))
        #expect(!covered(isFrameShaped: true) && !covered(isFrameShaped: nil))
    }

    @Test func moreThanAThousandPiecesCountAsVisible() {
        var desktop = Desktop.judged()
        desktop.putOnTop(1, 0, 0, 1200, 700)
        for index in 0..<1100 as Range<Int32> {
            desktop.putOnTop(UInt32(100 + index), index % 50 * 20, index / 50 * 20, 4, 4)
        }
        #expect(!desktop.covered().contains(1))
        // The topmost window is examined first.
        desktop.putOnTop(2, 0, 0, 1200, 700)
        #expect(desktop.covered().contains(1))
    }

    @Test func theFocusKeepsAWindowFromBeingCovered() {
        var desktop = Desktop.judged()
        desktop.putOnTop(1, 100, 100, 200, 100)
        desktop.putOnTop(2, 100, 100, 200, 100)
        #expect(desktop.phases() == [1: .background, 2: .inactive])
        #expect(desktop.phases(under: .visible) == [1: .background, 2: .active])
        desktop.screen.activeWindow = 1
        #expect(desktop.phases() == [1: .active, 2: .inactive])
    }

    @Test(arguments: [
        ("free", "covered", false), ("covered", "free", false), ("covered", "covered", true),
        ("iconic", "covered", true), ("covered", "iconic", true),
    ])
    func aSceneIsCoveredIfAllItsVisibleWindowsAre(main: String, dialog: String, isCovered: Bool) {
        var desktop = Desktop.judged()
        desktop.putOnTop(1, 0, 0, 200, 100)
        desktop.putOnTop(2, 300, 0, 200, 100) { $0.transientFor = 1 }
        for (xid, state, x): (UInt32, String, Int32) in [(1, main, 0), (2, dialog, 300)] {
            if state == "covered" { desktop.putOnTop(xid + 2, x, 0, 200, 100) { $0.className = "Cover" } }
            if state == "iconic" { desktop.edit(xid) { $0.iconify() } }
        }
        let evaluation = desktop.windows.slot(of: 1).map { Rule(desktop, .focus).evaluations[$0] }
        #expect(evaluation?.isCovered == isCovered)
    }

    /// The panel of fvwm reparents windows of other programs into its own.
    @Test(arguments: [UInt32(3), 4])
    func theClientOfAFrameWithTwoIsTheManagedOne(managed: UInt32) {
        var desktop = Desktop.judged()
        for xid: UInt32 in [3, 4] { desktop.add(.client(xid).with { $0.topLevel = 9 }) }
        desktop.edit(7 - managed) { $0.withdrewItself = true }
        #expect(desktop.client(inChild: 9, desktop.clientsInChildren)?.id.xid == managed)
    }

    @Test func aWindowAtAnUnknownHeightIsNotCovered() {
        var desktop = Desktop.judged()
        desktop.putOnTop(1, 100, 100, 200, 100)
        desktop.putOnTop(2, 100, 100, 200, 100)
        desktop.stacking.remove(1)
        #expect(desktop.covered() == [])
    }

    @Test func aDialogLendsItsVisibilityToItsScene() {
        var desktop = Desktop.judged()
        desktop.putOnTop(1, 100, 100, 200, 100)
        desktop.putOnTop(2, 100, 100, 200, 100)
        desktop.add(.client(3).with { $0.transientFor = 1 })
        desktop.putOnTop(3, 120, 120, 20, 20)
        #expect(desktop.phases() == [1: .inactive, 2: .inactive])
        desktop.putOnTop(2, 100, 100, 200, 100)
        #expect(desktop.phases() == [1: .background, 2: .inactive])
        // A dialog that is hidden for another reason uncovers nothing.
        desktop.edit(3) { $0.state = .iconic }
        #expect(desktop.phases() == [1: .background, 2: .inactive])
    }
}
