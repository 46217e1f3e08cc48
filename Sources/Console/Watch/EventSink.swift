import Loop
import PhaseWatch

/// Where the events of a watch go.
public protocol EventSink: AnyObject {
    /// The descriptor to poll: for room when there is a backlog, for the reader's end at any time.
    var descriptor: Int32 { get }
    /// Lines wait for the reader.
    var hasBacklog: Bool { get }
    /// So many lines wait that further ones are to be given up.
    var isFull: Bool { get }

    /// Whether what it takes says the titles of scenes.
    var usesTitles: Bool { get }

    /// Takes events that were told at one time, and passes on what it can without waiting.
    ///
    /// - Returns: The number of each event's line; nil where it is none.
    @discardableResult
    func take(_ events: ChangeBatch, at time: Timestamp) throws -> [Int?]
    /// How many of some events would have been lines.
    func count(_ events: ChangeBatch) -> Int
    /// Passes on what waits, as far as the reader takes it at once.
    func flush() throws
}
