import System
import Testing

@testable import Service

/// Inhibitors that keep the session from being idle.
@Suite struct InhibitorTests {
    private static func row(_ what: String, _ mode: String, _ pid: UInt64 = 7) -> [BusValue] {
        [what, "player", "a film", mode].map { .text($0) } + [.number(1000), .number(pid)]
    }

    @Test(arguments: [
        (row("idle", "block"), Inhibitor(pid: 7)),
        (row("shutdown:idle:sleep", "block-weak"), Inhibitor(pid: 7)),
        (row("sleep", "block"), Inhibitor(pid: 7, stopsIdle: false)), (row("idle", "delay"), nil),
        (row("handle-lid-switch", "block"), nil), (row("idler", "block"), nil), (row("", ""), nil),
        (row("idle", "block", 4_294_967_295), Inhibitor()), ([], nil), ([.text("idle")], nil),
        (Array(repeating: .number(1), count: 6), nil),
    ])
    func aRowOfLogind(row: [BusValue], inhibitor: Inhibitor?) {
        #expect(Inhibitor(login: row) == inhibitor)
    }

    @Test(arguments: [
        (Inhibitor(pid: 7), true), (Inhibitor(pid: 8), false), (Inhibitor(window: 3), true),
        (Inhibitor(window: 4), false), (Inhibitor(name: "chat"), true), (Inhibitor(name: "Chatter"), false),
        (Inhibitor(pid: 8, window: 3, name: "other"), true), (Inhibitor(), false),
    ])
    func itIsOfAnApplicationByProcessWindowOrName(inhibitor: Inhibitor, isOwn: Bool) {
        #expect(inhibitor.isOf([7], [3], "Chat") == isOwn)
    }
}
