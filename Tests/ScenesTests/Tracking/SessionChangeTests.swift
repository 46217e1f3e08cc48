import Testing

@testable import Scenes

@Suite struct SessionChangeTests {
    @Test(arguments: [
        (SessionChange.away, Cause?.some(.away), "away: another virtual terminal is shown"),
        (.back, .back, "back: this display is shown again"),
        (.locked(by: "i3lock", scenes: 4), .lock, "locked: a window of i3lock covers all 4 visible scenes"),
        (.locked(by: "i3lock", scenes: 1), .lock, "locked: a window of i3lock covers the visible scene"),
        (.locked(by: nil, scenes: 0), .lock, "locked: a window covers the screen"),
        (.unlocked, .unlock, "unlocked"),
        (.displayOff(.blanked), .displayOff, "display off: the screen saver blanked it"),
        (.displayOff(.poweredDown), .displayOff, "display off: it was powered down"),
        (.displayOff(.noMonitor), .displayOff, "display off: no monitor is on"),
        (.displayOn, .displayOn, "display on"), (.idle, .idle, "idle: no user input"),
        (.returned, .return, "return: the user is back"),
        (.dropped(.displayOff), nil, "display-off: no longer followed: the options changed"),
        (.dropped(nil), nil, "idle: no longer followed: the options changed"),
    ])
    func aNoticeSaysItAndHasTheCauseOfTheChanges(_ change: SessionChange, cause: Cause?, text: String) {
        #expect(Notice.session(change).text == text)
        #expect(change.cause == cause)
    }
}
