import Testing

@testable import Service

/// Short thaws of frozen applications for read-only calls.
@Suite struct GlancesTests {
    private var glances = Glances()

    private func call(_ serial: UInt32) -> Glances.Call { Glances.Call(sender: ":1.7", serial: serial) }

    private mutating func acts(at milliseconds: Int) -> [String] {
        glances.advance(at: .milliseconds(milliseconds)).map { "\($0.act) \($0.application)" }
    }

    @Test mutating func itRunsUntilTheLastAnswer() {
        glances.called("mpv", call(1))
        #expect(acts(at: 100) == ["begin mpv"])
        glances.called("mpv", call(2))
        glances.answered("mpv", call(1))
        #expect(acts(at: 120).isEmpty)
        glances.answered("mpv", call(2))
        #expect(acts(at: 140) == ["end mpv"])
        #expect(glances.next == nil)
    }

    @Test mutating func itRunsForATenthOfTheTime() {
        glances.called("mpv", call(1))
        #expect(acts(at: 100) == ["begin mpv"])
        glances.answered("mpv", call(1))
        #expect(acts(at: 140) == ["end mpv"])
        glances.called("mpv", call(2))
        #expect(acts(at: 499).isEmpty)
        #expect(glances.next == .milliseconds(500))
        #expect(acts(at: 500) == ["begin mpv"])
        glances.answered("mpv", call(2))
        #expect(acts(at: 501) == ["end mpv"])
        glances.called("mpv", call(3))
        // Thawing and freezing take longer than the answer.
        #expect(glances.next == .milliseconds(591))
    }

    @Test mutating func anAnswerIsAwaitedForASecond() {
        glances.called("mpv", call(1))
        #expect(acts(at: 0) == ["begin mpv"])
        #expect(glances.next == .seconds(1))
        #expect(acts(at: 1000) == ["fail mpv"])
        // The unanswered call does not thaw it again.
        #expect(glances.next == nil)
        glances.called("mpv", call(2))
        #expect(glances.next == .seconds(10))
    }

    @Test mutating func eachApplicationHasItsOwnTime() {
        glances.called("mpv", call(1))
        #expect(acts(at: 0) == ["begin mpv"])
        glances.called("vlc", call(1))
        #expect(acts(at: 10) == ["begin vlc"])
        glances.forget("mpv")
        #expect(acts(at: 1010) == ["fail vlc"])
    }

    @Test mutating func aFloodOfCallsIsBounded() {
        for cookie in 0..<10_000 { glances.called("mpv", call(UInt32(cookie))) }
        #expect(acts(at: 0) == ["begin mpv"])
        for cookie in 0..<256 { glances.answered("mpv", call(UInt32(cookie))) }
        #expect(acts(at: 1) == ["end mpv"])
    }
}
