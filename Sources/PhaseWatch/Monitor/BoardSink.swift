import Glibc
import Scenes

/// Puts what a watcher tells on a board.
final class BoardSink: EventSink {
    private let board: Board
    private let line: EndLine

    init(_ board: Board, endedBy line: EndLine) {
        self.board = board
        self.line = line
    }

    var descriptor: Int32 { line.descriptor }
    // What consumers have not read waits on the board.
    let hasBacklog = false
    let isFull = false
    let usesTitles = true

    func see(_ tracker: @autoclosure () -> SceneTracker, _ events: [Event]) {
        board.post(tracker(), after: events.compactMap(\.change))
    }

    func take(_ events: [Event], at time: Timestamp) -> [Int?] { events.map { _ in nil } }
    func count(_ events: [Event]) -> Int { 0 }
    func flush() {}
}

/// A way to end a loop from another thread: a descriptor that hangs up.
struct EndLine: Sendable {
    private let end: Descriptor
    private let otherEnd: Descriptor

    /// - Throws: `SystemError`.
    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        _ = socketpair(AF_UNIX, kind, 0, &ends)
        end = try Descriptor("socketpair", ends[0])
        otherEnd = try Descriptor("socketpair", ends[1])
    }

    var descriptor: Int32 { end.number }

    /// Unlike a pipe, it does so though a child of this process has it, too.
    func hangUp() {
        shutdown(end.number, Int32(SHUT_RDWR))
    }
}
