import Hooks
import System

/// The on-disk record of the pairs that are owed on a display. A separate thread reads and writes it.
public final class PairRecord {
    /// The result of a request.
    enum News: Sendable {
        case read(RecordFile.Contents)
        case unreadable(String)
        case wrote(WriteID, failure: String?)
    }

    private let file: RecordFile
    private let display: String
    private let disk: DiskThread<News>
    private var (wanted, submitted): (WriteID, WriteID) = (0, 0)

    /// - Parameters:
    ///   - display: The name of the display; the screen number is ignored.
    ///   - environment: XDG_STATE_HOME and HOME locate the file.
    public init(display: String, environment: Environment) throws {
        file = try RecordFile(display: display, environment: environment)
        self.display = display
        disk = try DiskThread()
    }

    /// Readable when there are results to take.
    var answers: Int32 { disk.answers.number }
    var isBusy: Bool { disk.isBusy || submitted < wanted }

    func read() {
        disk.submit { [file] in
            do {
                return .read(try file.takeOver())
            } catch {
                return .unreadable("\(error)")
            }
        }
    }

    /// Requests a write, because the owed pairs have changed.
    func want(_ id: WriteID) { wanted = id }

    /// Starts to write the owed pairs, unless an operation is in progress or no write is requested.
    func write(_ owed: () -> [RecordedPair]) {
        guard submitted < wanted, !disk.isBusy else { return }
        submitted = wanted
        let (pairs, id) = (owed(), wanted)
        disk.submit { [file, display] in
            do {
                try file.write(pairs, display: display)
                return .wrote(id, failure: nil)
            } catch {
                return .wrote(id, failure: "\(error)")
            }
        }
    }

    func takeNews() -> [News] { disk.takeAnswers() }
}
