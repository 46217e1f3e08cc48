import Console
import Loop
import PhaseWatch

/// Discards events.
final class NoSink: EventSink {
    let descriptor: Int32 = -1
    let hasBacklog = false
    let isFull = false
    let usesTitles = false

    func take(_ events: [Event], at time: Timestamp) -> [Int?] { events.map { _ in nil } }
    func count(_ events: [Event]) -> Int { 0 }
    func flush() {}
}
