import PhaseWatch
import Testing

@testable import Console
@testable import System
@testable import xphase

@Suite struct TimeTextTests {
    @Test(arguments: [
        (0, 0, "1970-01-01T00:00:00.000000Z"),
        (0, 999, "1970-01-01T00:00:00.000000Z"),
        (0, 1000, "1970-01-01T00:00:00.000001Z"),
        (1_795_172_621, 207_113_000, "2026-11-20T11:03:41.207113Z"),
        (1_795_172_621, 207_113_999, "2026-11-20T11:03:41.207113Z"),
        (1_795_172_621, 999_999_999, "2026-11-20T11:03:41.999999Z"),
        (951_782_400, 0, "2000-02-29T00:00:00.000000Z"),
        (4_102_444_799, 50_000_000, "2099-12-31T23:59:59.050000Z"),
        (2_147_483_648, 0, "2038-01-19T03:14:08.000000Z"),
    ])
    func utcIsToTheMicrosecond(seconds: Int, nanoseconds: Int, text: String) {
        #expect(TimeText.utc(Timestamp(seconds: seconds, nanoseconds: nanoseconds)) == text)
    }

    /// The local time zone is unknown, but every current UTC offset is a whole number of minutes.
    @Test(arguments: [
        (1_795_172_621, 207_113_999, "41.207"), (1_795_172_600, 0, "20.000"),
        (1_795_172_609, 999_999_999, "29.999"), (1_795_172_621, 5_000_000, "41.005"),
    ])
    func localIsToTheMillisecond(seconds: Int, nanoseconds: Int, end: String) {
        let text = TimeText.local(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
        #expect(text.wholeMatch(of: /[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}/) != nil)
        #expect(text.hasSuffix(":" + end))
    }

    @Test(arguments: [
        (Duration.zero, "0.000"), (.nanoseconds(999_999), "0.000"), (.milliseconds(1), "0.001"),
        (.milliseconds(10), "0.010"), (.milliseconds(100), "0.100"), (.seconds(1), "1.000"),
        (.milliseconds(252_114), "252.114"), (.seconds(86_400 * 365), "31536000.000"),
    ])
    func secondsHaveThreeDecimals(duration: Duration, text: String) {
        #expect(TimeText.seconds(duration) == text)
    }

    @Test(arguments: [
        (0, "0ms"), (1, "1ms"), (250, "250ms"), (999, "999ms"),
        (1000, "1.0s"), (1099, "1.0s"), (3_200, "3.2s"), (59_900, "59.9s"), (59_999, "59.9s"),
        (60_000, "1m00s"), (61_000, "1m01s"), (252_114, "4m12s"), (3_599_999, "59m59s"),
        (3_600_000, "1h00m"), (3_659_999, "1h00m"), (7_500_000, "2h05m"), (86_399_999, "23h59m"),
        (86_400_000, "1d00h"), (273_600_000, "3d04h"), (172_799_999, "1d23h"), (864_000_000, "10d00h"),
    ])
    func shortHasTheTwoGreatestUnits(milliseconds: Int, text: String) {
        #expect(TimeText.short(.milliseconds(milliseconds)) == text)
    }
}
