import PhaseWatch
import Testing

@testable import Console
@testable import System
@testable import xphase

@Suite struct TimeTextTests {
    @Test(arguments: [
        (0, 0, "1970-01-01T00:00:00.000000Z"), (0, 1000, "1970-01-01T00:00:00.000001Z"),
        (1_795_172_621, 207_113_999, "2026-11-20T11:03:41.207113Z"),
        (1_795_172_621, 999_999_999, "2026-11-20T11:03:41.999999Z"),
        (951_782_400, 0, "2000-02-29T00:00:00.000000Z"),
        (4_102_444_799, 50_000_000, "2099-12-31T23:59:59.050000Z"),
        (2_147_483_648, 0, "2038-01-19T03:14:08.000000Z"),
    ])
    func utcIsToTheMicrosecondAndLocalTimeToTheMillisecond(seconds: Int, nanoseconds: Int, text: String) {
        let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
        #expect(TimeText.utc(time) == text)
        // The time zone is unknown, but every current UTC offset is a whole number of minutes.
        let local = TimeText.local(time)
        #expect(local.wholeMatch(of: /[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}/) != nil)
        #expect(seconds < 1_000_000_000 || local.suffix(7) == text.dropLast(4).suffix(7))
    }

    @Test(arguments: [
        (Duration.zero, "0.000", "0ms"), (.nanoseconds(999_999), "0.000", "0ms"),
        (.milliseconds(10), "0.010", "10ms"), (.milliseconds(999), "0.999", "999ms"),
        (.milliseconds(1099), "1.099", "1.0s"), (.milliseconds(59_999), "59.999", "59.9s"),
        (.milliseconds(252_114), "252.114", "4m12s"), (.milliseconds(3_599_999), "3599.999", "59m59s"),
        (.seconds(3600), "3600.000", "1h00m"), (.seconds(7500), "7500.000", "2h05m"),
        (.seconds(86_399), "86399.000", "23h59m"), (.seconds(273_600), "273600.000", "3d04h"),
        (.seconds(86_400 * 365), "31536000.000", "365d00h"),
    ])
    func aDurationHasThreeDecimalsOrItsTwoGreatestUnits(duration: Duration, decimals: String, short: String) {
        #expect(TimeText.seconds(duration) == decimals && TimeText.short(duration) == short)
    }
}
