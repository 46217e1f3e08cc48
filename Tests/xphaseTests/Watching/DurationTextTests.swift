import PhaseWatch
import Testing

@testable import Hooks
@testable import System

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("0", Duration.zero), ("0ms", .zero), ("0s", .zero), ("0m", .zero), ("0h", .zero),
        ("1ms", .milliseconds(1)), ("250ms", .milliseconds(250)), ("1500ms", .milliseconds(1500)),
        ("1s", .seconds(1)), ("30s", .seconds(30)), ("007s", .seconds(7)), ("86400s", .seconds(86_400)),
        ("5m", .seconds(300)), ("90m", .seconds(5400)), ("1h", .seconds(3600)), ("48h", .seconds(172_800)),
        ("878400h", .seconds(3_162_240_000)),
    ])
    func aNumberAndItsUnitAreADuration(text: String, duration: Duration) {
        #expect(Duration(text: text) == duration)
    }

    @Test(arguments: [
        "", " ", "s", "ms", "h", "5", "00", "-1s", "-0s", "+1s", "1.5s", "1,5s", "1d", "1w", "1us", "1S",
        "1MS",
        " 5s", "5s ", "5 s", "5s\n", "5s\0", "1h30m", "5ss", "5sm", "0x5s", "1e3s", "1_000s", "٣s", "５s",
        "5ſ",
        "5s\u{301}", "five s", "878401h", "9223372036854775807ms", "9223372036854775807h",
        "99999999999999999999s", "infs", "nans",
    ])
    func anythingElseIsNone(text: String) {
        #expect(Duration(text: text) == nil)
    }

    @Test(arguments: [
        ("0s", "0"), ("1ms", "1ms"), ("1500ms", "1500ms"), ("1000ms", "1s"), ("90s", "90s"), ("60s", "1m"),
        ("90m", "90m"), ("120m", "2h"), ("878400h", "878400h"),
    ])
    func isWrittenInTheLargestUnitThatFits(text: String, written: String) {
        #expect(Duration(text: text)?.text == written)
    }
}
