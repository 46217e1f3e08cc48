import Testing

@testable import Scenes

/// Pending changes of many windows at once.
@Suite struct ManyPendingTests {
    @Test func nothingIsBelievedEarlyBecauseASceneMovesFromOneApplicationToAnother() {
        var timeline = Timeline(arrange: { timeline in
            for number in 0..<40 {
                for name in ["p\(number)", "q\(number)", "p\(number).moves"] {
                    let window = timeline.names.create(name)
                    timeline.arrange { $0.add(window) }
                }
            }
        })
        #expect(timeline.started.count == 120)
        let names = timeline.names
        let early = timeline.change { desktop in
            for number in 0..<40 {
                desktop.edit(names["p\(number)"]) { $0.iconify() }
                desktop.edit(names["q\(number)"]) { $0.iconify() }
                desktop.edit(names["p\(number).moves"]) { $0.className = "Q\(number)" }
            }
        }
        #expect(early == [])
        #expect(timeline.exactly(100).count == 160)
    }

    @Test func thousandsOfWindowsAreOneBatch() {
        var timeline = Timeline()
        let windows = (0..<2_000).map { timeline.names.create("w\($0 % 50).\($0)") }
        timeline.change { desktop in
            for window in windows { desktop.add(window) }
        }
        #expect(timeline.exactly(100).count == 2_000)
        #expect(timeline.changes(.application).count == 50)
        timeline.change { for xid in $0.windows.windows.map(\.id.xid) { $0.windows[xid] = nil } }
        #expect(timeline.changes(.scene).count == 4_000)
        #expect(timeline.changes(.application).suffix(2).map(\.to) == [.background, nil])
    }
}
