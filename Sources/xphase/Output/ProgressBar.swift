import Console
import Glibc
import System

/// The progress of a command, shown on stderr if it is a terminal, after half a second.
struct ProgressBar {
    private static let patience = Duration.milliseconds(500)
    private static let interval = Duration.milliseconds(100)
    private static let width = 40

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var next = Clock.now() + Self.patience
    private var isShown = false

    /// - Parameter part: The completed fraction, up to 1.
    mutating func show(_ part: Double) {
        guard isTerminal, case let now = Clock.now(), now >= next else { return }
        (next, isShown) = (now + Self.interval, true)
        let done = Int(max(0, min(1, part)) * Double(Self.width))
        let bar = String(repeating: "#", count: done) + String(repeating: " ", count: Self.width - done)
        write("\r[\(bar)] \(Int(part * 100)) %")
    }

    /// Erases the bar.
    mutating func end() {
        if isShown { write("\r\u{1B}[K") }
        isShown = false
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}

/// The size of a terminal.
struct TerminalSize: Equatable {
    var columns: Int
    var rows: Int
}

extension TerminalSize {
    /// Reads the size; 80 x 24 if the descriptor is not a terminal, or the terminal does not know its size.
    init(of descriptor: Int32) {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        self.init(columns: isKnown ? Int(size.ws_col) : 80, rows: isKnown ? Int(size.ws_row) : 24)
    }
}
