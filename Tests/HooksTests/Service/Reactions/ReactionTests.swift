import FoundationEssentials
import Glibc
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

/// The requests to xphase's own processes, their answers, and their writes to kernel files.
@Suite struct ReactionTests {
    private static let process = ProcessIdentity(pid: 7, startTicks: 8)

    @Test func aRequestArrivesAsItWasMade() throws {
        var request = ReactionRequest(.perform)
        request.builtIns = [.mute, .slow]
        request.holds = [.slowed(unit: "app-a.scope", weights: ["CPUWeight=", "IOWeight=idle"])]
        let read = try #require(ReactionRequest(json: request.json))
        #expect(read.step == .perform && read.builtIns == request.builtIns && read.holds == request.holds)
        #expect(read.parent == getpid())
        #expect(ReactionRequest(json: []) == nil)
    }

    @Test func anAnswerArrivesAsItWasGiven() {
        var answer = ReactionAnswer()
        answer.exception = "it plays audio"
        answer.managers = [7, 4711]
        answer.holds = [.slowed(unit: "app-a.scope", weights: ["CPUWeight=50", "IOWeight="])]
        answer.done = ["slowed"]
        answer.faults = ["is not muted: two\nlines", "a carriage return\r\nhold {}", "\u{301}"]
        #expect(ReactionAnswer(answer.json) == answer)
        answer.holds = [.slowed(unit: "--all", weights: [])]
        #expect(ReactionAnswer(answer.json) == nil && ReactionAnswer([]) == nil)
    }

    @Test(arguments: [
        ("CPUWeight=", true), ("CPUWeight=idle", true), ("IOWeight=10000", true), ("CPUWeight=-1", false),
        ("CPUWeight=1=2", false), ("MemoryMax=1", false), ("", false), ("CPUWeight", false),
    ])
    func onlyWeightsAreWrittenBack(text: String, isOne: Bool) {
        #expect(Hold.slowed(unit: "a.scope", weights: [text]).isPlausible == isOne)
        #expect(!Hold.slowed(unit: "--all", weights: []).isPlausible)
    }

    @Test(arguments: [
        ("CPUQuota=", true), ("CPUQuota=20%", true), ("CPUQuota=33.05%", true), ("CPUQuota=20", false),
        ("CPUQuota=-1%", false), ("CPUQuota=%", false), ("CPUWeight=10", false),
        ("CPUQuota=1%\nMemoryMax=1", false), ("", false),
    ])
    func onlyAQuotaIsWrittenBack(text: String, isOne: Bool) {
        #expect(Hold.capped(unit: "a.scope", quota: text).isPlausible == isOne)
        #expect(!Hold.capped(unit: "--all", quota: "CPUQuota=").isPlausible)
    }

    /// The format in which systemctl(1) prints CPUQuotaPerSecUSec.
    @Test(arguments: [
        ("200ms", 200_000), ("1s", 1_000_000), ("1.500s", 1_500_000), ("1min 40s", 100_000_000),
        ("333.300ms", 333_300), ("1h 2us", 3_600_000_002), ("", nil), ("1", nil), ("1 s", nil), ("s", nil),
        ("1d", nil), ("infinity", nil), ("nans", nil), ("-1s", nil), ("0", nil), ("1e400s", nil),
    ])
    func aTimeOfTheServiceManagerIsRead(text: String, microseconds: Int?) {
        #expect(UnitWeights.microseconds(text) == microseconds)
    }

    @Test(arguments: [
        ("1%", 1), ("20%", 20), ("10000%", 10_000), ("0%", nil), ("10001%", nil), ("20", nil), ("%", nil),
        ("+20%", nil), ("020%", nil), ("2 %", nil), ("20.5%", nil), ("99999999999999999999%", nil), ("", nil),
    ])
    func aCapIsAPercentageOfOneProcessor(text: String, percent: Int?) throws {
        let cap = ProcessorCap(rawValue: text)
        #expect(cap?.rawValue == percent.map { "\($0)%" })
        if let cap {
            #expect(try JSONDecoder().decode([ProcessorCap].self, from: JSONEncoder().encode([cap])) == [cap])
        }
    }

    /// A peer may send any value.
    @Test(arguments: ["20", "\"0%\"", "\"10001%\"", "\"1%\\nMemoryMax=1\"", "null"])
    func aCapThatIsNoneIsNotDecoded(json: String) {
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode([ProcessorCap].self, from: Data("[\(json)]".utf8))
        }
    }

    @Test(arguments: [
        ("sink-input-by-application-name:A: b", "application.name", "A: b"),
        ("sink-input-by-media-role:music", "media.role", "music"), ("sink-input-by-other:a", nil, nil),
        ("source-output-by-media-role:a", nil, nil), ("", nil, nil),
    ])
    func theRuleThatRestoresAStreamNamesAProperty(memory: String, kind: String?, value: String?) {
        let property = MutedStream.property(of: memory)
        #expect(property?.kind == kind && property.map { String($0.value) } == value)
    }

    @Test func aScopeIsNamedAsDesktopEnvironmentsNameTheirs() {
        let scope = ApplicationScope(application: "Org-x/ü 2.0", processes: [Self.process])
        #expect(scope.name == "app-xphase-Org\\x2dx\\x2f\\xc3\\xbc\\x202.0-7.scope")
        #expect(ApplicationScope.escaped(".a") == "\\x2ea")
    }

    @Test func aToolThatIsMissingOrFailsSaysSo() throws {
        func fault(_ words: [String]) -> String {
            do { return "\(try ToolOutput(of: words).lines)" } catch { return "\(error)" }
        }
        #expect(fault(["sh", "-c", "echo a; echo b"]) == #"["a", "b"]"#)
        #expect(fault(["sh", "-c", "echo no, >&2; echo not so >&2; exit 3"]) == "sh: not so")
        #expect(fault(["there-is-no-such-program"]) == "there is no there-is-no-such-program")
    }
}
