import Testing

@testable import Scenes

/// The conditions under which a display shows nothing.
struct DisplayFactsTests {
    private func displayOff(
        _ savers: [DisplayFacts.Saver], power: UInt16 = 0, monitors: [Rectangle]? = nil
    ) -> Session.DisplayOff? {
        var facts = DisplayFacts()
        (facts.savers, facts.powerLevel) = (savers, power)
        return facts.displayOff(monitors: monitors)
    }

    @Test func aSaverThatIsOnHidesEverything() {
        #expect(displayOff([.on]) == .blanked)
        #expect(displayOff([.off]) == nil)
        #expect(displayOff([]) == nil)
    }

    @Test func oneThatIsLeftToAClientHidesWhereTheMonitorIsSwitchedOff() {
        #expect(displayOff([.leftToClient]) == nil)
        #expect(displayOff([.leftToClient], power: 1) == .poweredDown)
        // A key press while the monitor is off turns off the screen saver. The power level stays.
        #expect(displayOff([.off], power: 3) == nil)
    }

    @Test func oneScreenThatCanBeSeenIsEnough() {
        #expect(displayOff([.on, .off]) == nil)
        #expect(displayOff([.on, .leftToClient]) == nil)
        #expect(displayOff([.on, .leftToClient], power: 1) == .poweredDown)
        #expect(displayOff([.on, .on]) == .blanked)
    }

    @Test func withoutAnyMonitorNothingCanBeSeen() {
        #expect(displayOff([.off], monitors: []) == .noMonitor)
        #expect(displayOff([], monitors: [Rectangle(width: 640, height: 480)]) == nil)
    }
}
