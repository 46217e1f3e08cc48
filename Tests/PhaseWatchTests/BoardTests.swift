import Testing

@testable import PhaseWatch
@testable import Scenes

/// Consumers, without a display.
@Suite struct BoardTests {
    private let board: Board

    init() {
        board = Board(isStepwise: false, pid: 1)
    }

    @Test func everyConsumerGetsEveryChange() async throws {
        let ids = (1...3).map { _ in board.subscribe(Selection(.application("a")), initial: true) }
        board.post([.phase("A", nil, .active), .phase("B", nil, .inactive)])
        for id in ids { #expect(try await board.next(id).get()?.to == .active) }
        #expect(board.holdings == (3, 0, 0))
    }

    @Test func aConsumerThatWaitsIsWoken() async throws {
        let id = board.subscribe(Selection(.all), initial: true)
        async let answer = board.next(id)
        board.post([.phase("A", nil, .active)])
        #expect(try await answer.get()?.application == "A")
    }

    @Test func aConsumerThatLagsHoldsOneChangeOfEach() async throws {
        let id = board.subscribe(Selection(.all), initial: true)
        board.post((0..<50).map { .phase("A\($0)", nil, .inactive) })
        for round in 0..<1_001 {
            let isUp = round.isMultiple(of: 2)
            board.post(
                (0..<50).map {
                    .phase("A\($0)", isUp ? .inactive : .active, isUp ? .active : .inactive)
                })
        }
        #expect(board.holdings.changes == 50)
        for _ in 0..<50 { #expect(try await board.next(id).get()?.to == .active) }
        #expect(board.holdings.changes == 0)
    }

    @Test func cancellationFreesWhatWasHeldAndEndsTheWait() async throws {
        let id = board.subscribe(Selection(.all), initial: true)
        let consumer = Task { [board] in try await board.next(id).get() }
        consumer.cancel()
        #expect(try await consumer.value == nil)
        #expect(board.holdings == (0, 0, 0))
        #expect(try await board.next(id).get() == nil)
    }

    @Test func theEndComesAfterWhatWaits() async throws {
        let id = board.subscribe(Selection(.all), initial: true)
        board.post([.phase("A", nil, .active)])
        board.end(.displayLost(":7"))
        board.post([.phase("B", nil, .active)])
        #expect(try await board.next(id).get()?.application == "A")
        await #expect(throws: PhaseMonitor.Failure.displayLost(":7")) { try await board.next(id).get() }
        #expect(try await board.next(id).get() == nil)
        #expect(board.holdings == (0, 0, 0))
    }

    @Test func whoeverBeginsAfterTheEndIsTold() async throws {
        board.end(.displayLost(":7"))
        let id = board.subscribe(Selection(.all), initial: true)
        await #expect(throws: PhaseMonitor.Failure.displayLost(":7")) { try await board.next(id).get() }
        #expect(throws: PhaseMonitor.Failure.displayLost(":7")) { try phaseOfAll() }
    }

    @Test func anOrdinaryEndIsNoError() async throws {
        let id = board.subscribe(Selection(.all), initial: true)
        async let answer = board.next(id)
        board.end()
        #expect(try await answer.get() == nil)
        #expect(try phaseOfAll() == nil)
    }

    private func phaseOfAll() throws -> ScenePhase? {
        try board.read { $0.phase(of: Selection(.all)) } ?? nil
    }
}
