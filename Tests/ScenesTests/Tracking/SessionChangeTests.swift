import Testing

@testable import Scenes

@Suite struct SessionChangeTests {
    @Test(arguments: [
        (SessionChange.away, "away: another virtual terminal is shown"),
        (.back, "back: this display is shown again"),
        (.locked(by: "i3lock", scenes: 4), "locked: a window of i3lock covers all 4 visible scenes"),
        (.locked(by: "i3lock", scenes: 1), "locked: a window of i3lock covers the visible scene"),
        (.locked(by: nil, scenes: 0), "locked: a window covers the screen"), (.unlocked, "unlocked"),
        (.displayOff(.blanked), "display off: the screen saver blanked it"),
        (.displayOff(.poweredDown), "display off: it was powered down"),
        (.displayOff(.noMonitor), "display off: no monitor is on"), (.displayOn, "display on"),
        (.idle, "idle: no user input"), (.returned, "return: the user is back"),
        (.dropped(.displayOff), "display-off: no longer followed: the options changed"),
        (.dropped(nil), "idle: no longer followed: the options changed"),
    ])
    func aNoticeSaysIt(_ change: SessionChange, _ text: String) {
        #expect(Notice.session(change).text == text)
        #expect(Notice.session(change).name == "session")
    }

    @Test(arguments: [
        (SessionChange.away, Cause?.some(.away)), (.back, .back), (.locked(by: nil, scenes: 0), .lock),
        (.unlocked, .unlock), (.displayOff(.noMonitor), .displayOff), (.displayOn, .displayOn),
        (.idle, .idle), (.returned, .return), (.dropped(.lock), nil),
    ])
    func aNoticeHasTheCauseOfTheChanges(_ change: SessionChange, _ cause: Cause?) {
        #expect(Notice.session(change).cause == cause)
    }
}
