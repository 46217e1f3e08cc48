import Testing

@testable import Hooks

/// Truncated configurations, and faults that would harm the terminal that shows them.
@Suite struct HostileConfigurationTests {
    /// A file may be truncated at any point while it is written.
    @Test func everyBeginningOfAFileIsReadOrRefused() {
        let example = ConfigurationTests.example
        for end in example.indices {
            for fault in faults(String(example[..<end])) { #expect(fault.hasPrefix("f:")) }
        }
    }

    @Test func longAndHostileValuesAreShownShortAndEscaped() {
        let long = String(repeating: "x", count: 10_000)
        let reported = faults("policy = '\(long)'").joined()
        #expect(reported.hasPrefix("f: policy: there is no policy '\(String(repeating: "x", count: 60))…'"))
        #expect(faults("policy = \"\\u001B[2J\"").joined().contains(#"'\e[2J'"#))
    }
}
