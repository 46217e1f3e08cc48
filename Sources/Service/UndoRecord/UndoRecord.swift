import Hooks
import System

/// The on-disk record of the pairs that are owed on a display. A separate thread reads and writes it.
public final class UndoRecord {
    /// The answer to a request, and what the user must know.
    struct News: Sendable {
        var input: HookInput
        var problem: String?
    }

    private let file: UndoRecordFile
    private let display: String
    private let disk: DiskQueue<News>
    private var (requested, submitted): (WriteID, WriteID) = (0, 0)

    /// - Parameters:
    ///   - display: The name of the display; the screen number is ignored.
    ///   - environment: XDG_STATE_HOME and HOME locate the file.
    public init(display: String, environment: Environment) throws {
        file = try UndoRecordFile(display: display, environment: environment)
        self.display = display
        disk = try DiskQueue()
    }

    /// Readable when there are results to take.
    var answers: Int32 { disk.answers.number }
    var isBusy: Bool { disk.isBusy || submitted < requested }

    func read() {
        disk.submit { [file] in
            do {
                let (pairs, problem) = try file.takeOver()
                let running = pairs.compactMap(\.started?.process).filter(\.isAlive)
                return News(input: .restored(pairs, running: Set(running)), problem: problem)
            } catch {
                return News(input: .notRestored("\(error)"), problem: "\(error)")
            }
        }
    }

    /// Requests a write, because the owed pairs have changed.
    func request(_ id: WriteID) { requested = id }

    /// Starts to write the owed pairs, unless an operation is in progress or no write is requested.
    func write(_ owed: () -> [UndoRecordEntry]) {
        guard submitted < requested, !disk.isBusy else { return }
        submitted = requested
        let (pairs, id) = (owed(), requested)
        disk.submit { [file, display] in
            do {
                try file.write(pairs, display: display)
                return News(input: .recorded(id))
            } catch {
                return News(input: .recorded(id, failure: "\(error)"))
            }
        }
    }

    func takeNews() -> [News] { disk.takeAnswers() }
}
