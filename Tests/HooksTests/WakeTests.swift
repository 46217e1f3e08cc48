import Testing

@testable import Hooks

@Suite struct WakeTests {
    @Test func allHooksWithOneIntervalWakeTogether() {
        let wake = Wake(interval: .seconds(180), duration: .seconds(5))
        for second in [0, 1, 100, 174] { #expect(wake.next(after: .seconds(second)) == .seconds(180)) }
        // A wake-up at most 5 s ahead is skipped: the application has only just been frozen.
        for second in [175, 180, 200, 354] { #expect(wake.next(after: .seconds(second)) == .seconds(360)) }
        #expect(wake.next(after: .milliseconds(174_999)) == .seconds(180))
    }

    @Test func aConfigurationSetsIntervalAndDuration() throws {
        let text = """
            [[hook]]
            name = 'a'
            application = 'b'
            while = 'background'
            do = 'freeze'
            power = 'battery'
            wake.every = '3m'
            wake.for = '5s'
            """
        let hook = try #require(Configuration(text: text, file: "c").hooks.first)
        #expect(hook.wake == Wake(interval: .seconds(180), duration: .seconds(5)))
        #expect(hook.power == .battery)
    }
}
