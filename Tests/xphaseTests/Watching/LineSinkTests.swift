import PhaseWatch
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

@Suite struct LineSinkTests {
    private static func sink(
        _ format: LineFormat = .json, levels: Set<Change.Level> = [.application], glob: String = "*"
    ) -> LineSink {
        var criteria = Criteria()
        criteria.application = [Pattern(glob)]
        return LineSink(
            format: format, filter: EventFilter(levels: levels, criteria: criteria, hidesInitial: false))
    }

    private static let events = Change.samples.map(Event.change) + [Event.notice(.sample)]

    @Test func onlyEventsThatPassTheFilterCountAsLines() {
        #expect(Self.sink().count(Self.events) == 2)
        #expect(Self.sink(levels: [.scene, .group, .application]).count(Self.events) == 4)
        #expect(Self.sink(glob: "mpv").count(Self.events) == 1)
        #expect(Self.sink().count([]) == 0)
    }

    @Test func aNoticeThatATemplateHasNoPlaceForIsNoLine() throws {
        let without = LineFormat.template(try Template("{application} {to}"))
        let with = LineFormat.template(try Template("{application} {to} {text}"))
        #expect(Self.sink(with).count(Self.events) == 2)
        #expect(Self.sink(without).count(Self.events) == 1)
    }

    @Test func whatTheFilterHidesDoesNotWait() throws {
        let sink = Self.sink(glob: "mpv")
        try sink.take(Change.samples.map(Event.change), at: .sample)
        #expect(!sink.hasBacklog)
        #expect(!sink.isFull)
    }
}
