import Console
import Loop
import PhaseWatch

/// Discards events.
final class NoSink: EventSink {
    let descriptor: Int32 = -1
    let hasBacklog = false
    let isFull = false
    let usesTitles = false

    func take(_ events: ChangeBatch, at time: Timestamp) -> [Int?] {
        [Int?](repeating: nil, count: events.count)
    }
    func count(_ events: ChangeBatch) -> Int { 0 }
    func flush() {}
}
