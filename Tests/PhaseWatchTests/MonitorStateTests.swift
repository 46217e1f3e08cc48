import Testing

@testable import PhaseWatch
@testable import Scenes

/// The consumers of a `MonitorState`, without a display.
@Suite struct MonitorStateTests {
    private let state: MonitorState

    init() {
        state = MonitorState(isStepwise: false)
    }

    @Test func everyConsumerGetsEveryChange() async throws {
        let ids = (1...3).map { _ in state.subscribe(Selection(.application("a")), initial: true) }
        state.post([.phase("A", nil, .active), .phase("B", nil, .inactive)])
        for id in ids { #expect(try await state.next(id).get()?.change?.to == .active) }
        #expect(state.holdings == (3, 0, 0))
    }

    @Test func aConsumerThatWaitsIsWoken() async throws {
        let id = state.subscribe(Selection(.all), initial: true)
        async let answer = state.next(id)
        state.post([.phase("A", nil, .active)])
        #expect(try await answer.get()?.change?.application == "A")
    }

    @Test func aConsumerThatLagsHoldsOneChangeOfEach() async throws {
        let id = state.subscribe(Selection(.all), initial: true)
        state.post((0..<50).map { .phase("A\($0)", nil, .inactive) })
        for round in 0..<1_001 {
            let isUp = round.isMultiple(of: 2)
            state.post(
                (0..<50).map {
                    .phase("A\($0)", isUp ? .inactive : .active, isUp ? .active : .inactive)
                })
        }
        #expect(state.holdings.changes == 50)
        for _ in 0..<50 { #expect(try await state.next(id).get()?.change?.to == .active) }
        #expect(state.holdings.changes == 0)
    }

    @Test func cancellationFreesWhatWasHeldAndEndsTheWait() async throws {
        let id = state.subscribe(Selection(.all), initial: true)
        let consumer = Task { [state] in try await state.next(id).get() }
        consumer.cancel()
        #expect(try await consumer.value?.change == nil)
        #expect(state.holdings == (0, 0, 0))
        #expect(try await state.next(id).get()?.change == nil)
    }

    @Test func theEndComesAfterWhatWaits() async throws {
        let id = state.subscribe(Selection(.all), initial: true)
        state.post([.phase("A", nil, .active)])
        state.end(.displayLost(":7"))
        state.post([.phase("B", nil, .active)])
        #expect(try await state.next(id).get()?.change?.application == "A")
        await #expect(throws: PhaseMonitor.Failure.displayLost(":7")) { try await state.next(id).get() }
        #expect(try await state.next(id).get()?.change == nil)
        #expect(state.holdings == (0, 0, 0))
    }

    @Test func whoeverBeginsAfterTheEndGetsIt() async throws {
        state.end(.displayLost(":7"))
        let id = state.subscribe(Selection(.all), initial: true)
        await #expect(throws: PhaseMonitor.Failure.displayLost(":7")) { try await state.next(id).get() }
        #expect(throws: PhaseMonitor.Failure.displayLost(":7")) { try phaseOfAll() }
    }

    @Test func anOrdinaryEndIsNoError() async throws {
        let id = state.subscribe(Selection(.all), initial: true)
        async let answer = state.next(id)
        state.end()
        #expect(try await answer.get()?.change == nil)
        #expect(try phaseOfAll() == nil)
    }

    private func phaseOfAll() throws -> ScenePhase? {
        try state.read { SubjectPhase(Selection(.all), in: $0).phase } ?? nil
    }
}

extension MonitorState {
    func post(_ changes: [Change]) {
        post(changes.map(Event.change), at: .zero)
    }
}
