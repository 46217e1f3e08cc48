import System
import Testing

@testable import Hooks
@testable import Service

@Suite struct DebounceTests {
    private func signs(_ milliseconds: Int...) -> Debounce {
        var debounce = Debounce()
        for moment in milliseconds { debounce.addEvent(at: .milliseconds(moment)) }
        return debounce
    }

    @Test func withoutASignNothingIsDue() {
        var debounce = Debounce()
        let isTaken = debounce.expire(at: .seconds(9))
        #expect(debounce.due == nil && !isTaken)
    }

    @Test func theLastSignCounts() {
        #expect(signs(5000).due == .milliseconds(5100))
        #expect(signs(5000, 5060, 5090).due == .milliseconds(5190))
    }

    @Test func signsWithoutEndAreCutOff() {
        #expect(signs(5000, 5500, 5950).due == .milliseconds(6000))
        #expect(signs(5000, 6500).due == .milliseconds(6000))
    }

    @Test func anExpiredDelayIsReportedOnce() {
        var debounce = signs(5000)
        let taken = [5099, 5100, 5101].map { debounce.expire(at: .milliseconds($0)) }
        #expect(taken == [false, true, false])
        debounce.addEvent(at: .milliseconds(7000))
        #expect(debounce.due == .milliseconds(7100))
    }
}
