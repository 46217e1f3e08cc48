import CXPipeline

/// Reads that are sent together, and answered in their order.
struct ReadPass {
    /// That many requests fit into a socket, so that sending them never waits.
    private static let mostOnTheWay = 4096

    private var reads: [Read] = []
    private var sent = 0
    private var answered = 0

    /// Whether every answer was taken.
    var isDone: Bool { answered == reads.count }

    mutating func add(_ read: Read) { reads.append(read) }

    /// Sends what is not sent yet, as far as it may be on its way.
    ///
    /// - Parameter request: Makes the request of a read and returns its number.
    mutating func send(_ display: Display, _ request: (Read) -> UInt32) {
        guard sent < reads.count, sent - answered <= Self.mostOnTheWay / 2 else { return }
        let end = min(reads.count, answered + Self.mostOnTheWay)
        for index in sent..<end { reads[index].request = request(reads[index]) }
        sent = end
        cxp_send(display.connection)
    }

    /// The next read with its answer; nil if that has not come yet.
    ///
    /// - Throws: `DisplayError.connectionLost`.
    mutating func next(_ display: Display) throws(DisplayError) -> (Read, Reply)? {
        guard answered < sent, let reply = try display.reply(to: reads[answered].request) else { return nil }
        answered += 1
        return (reads[answered - 1], reply)
    }
}
