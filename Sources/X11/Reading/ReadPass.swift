import CXPipeline
import Scenes

/// Reads that are sent together and answered in order.
struct ReadPass {
    /// The maximum number of requests in flight. This many fit into a socket, so that sending never blocks.
    private static let mostOnTheWay = 4096

    private var reads: [Read] = []
    private var sent = 0
    private var answered = 0

    /// Whether every reply was taken.
    var isDone: Bool { answered == reads.count }

    mutating func add(_ read: Read) { reads.append(read) }

    /// Sends the reads that are not sent yet, up to the limit of requests in flight.
    ///
    /// - Parameter request: Buffers the request of a read and returns its sequence number.
    mutating func send(_ display: Display, _ request: (Read) -> UInt32) {
        guard sent < reads.count, sent - answered <= Self.mostOnTheWay / 2 else { return }
        let end = min(reads.count, answered + Self.mostOnTheWay)
        for index in sent..<end { reads[index].request = request(reads[index]) }
        sent = end
        cxp_send(display.connection)
    }

    /// Returns the next read with its reply; nil if the reply has not arrived yet.
    ///
    /// - Throws: `MonitorFailure.displayLost`.
    mutating func next(_ display: Display) throws(MonitorFailure) -> (Read, Reply)? {
        guard answered < sent, let reply = try display.reply(to: reads[answered].request) else { return nil }
        answered += 1
        return (reads[answered - 1], reply)
    }
}
