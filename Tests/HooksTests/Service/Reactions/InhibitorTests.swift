import Testing

@testable import Service

/// Inhibitors that keep the session from being idle, as listed by busctl(1).
@Suite struct InhibitorTests {
    private static func row(_ what: String, _ mode: String, _ pid: String = "7") -> String {
        "[\"\(what)\",\"player\",\"a film\",\"\(mode)\",1000,\(pid)]"
    }

    @Test(arguments: [
        (row("idle", "block"), Inhibitor(pid: 7)),
        (row("shutdown:idle:sleep", "block-weak"), Inhibitor(pid: 7)),
        (row("sleep", "block"), Inhibitor(pid: 7, stopsIdle: false)), (row("idle", "delay"), nil),
        (row("handle-lid-switch", "block"), nil), (row("idler", "block"), nil), (row("", ""), nil),
        (row("idle", "block", "4294967295"), Inhibitor()),
    ])
    func aRowOfLogind(json: String, inhibitor: Inhibitor?) throws {
        let text = "{\"type\":\"a(ssssuu)\",\"data\":[[\(json)]]}"
        let rows: [LoginRow] = try MessageBus.value(of: Array(text.utf8))
        #expect(rows.map(\.inhibitor) == [inhibitor])
    }

    @Test(arguments: [
        "", "{}", "{\"data\":[]}", "{\"data\":[[[\"idle\"]]]}", "{\"data\":[[[1,2,3,4,5,6]]]}",
        "{\"data\":[[\(row("idle", "block", "-1"))]]}", "{\"data\":\"idle\"}",
    ])
    func anAnswerThatCannotBeReadIsAFault(json: String) {
        #expect(throws: (any Error).self) { () -> [LoginRow] in try MessageBus.value(of: Array(json.utf8)) }
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
