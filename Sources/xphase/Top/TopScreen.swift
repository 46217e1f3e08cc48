import Console
import Glibc
import System

/// The terminal on which `xphase top` draws. Only changed lines are drawn, without ever waiting for the terminal.
final class TopScreen {
    let descriptor: Int32
    private let input: Int32
    private let saved: termios
    private(set) var isEntered = false
    private var pending: [UInt8] = []
    /// The lines that are on the screen, or on their way to it.
    private var shown: [String] = []
    /// The lines to draw when the terminal accepts more.
    private var next: [String]?

    /// Creates a screen; nil if there is no terminal that supports the escape sequences.
    init?() {
        let name = getenv("TERM").map { String(cString: $0) } ?? ""
        var saved = termios()
        guard !name.isEmpty, name != "dumb", isatty(STDOUT_FILENO) == 1,
            tcgetattr(STDIN_FILENO, &saved) == 0
        else { return nil }
        (self.saved, input) = (saved, STDIN_FILENO)
        descriptor = StandardOutput.withoutWaiting()
    }

    deinit {
        leave()
    }

    /// Switches to the alternate screen, and clears it.
    func enter() {
        var raw = saved
        // Ctrl-C and Ctrl-Z stay signals.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // Ctrl-S would stop the output, including the final one.
        raw.c_iflag &= ~tcflag_t(IXON)
        tcsetattr(input, TCSADRAIN, &raw)
        if isEntered { return forget() }
        isEntered = true
        shown = []
        // The alternate screen, no cursor, no line wrapping, and mouse buttons as keys.
        pending += Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[2J".utf8)
    }

    /// Restores the terminal.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        (pending, next) = ([], nil)
        // A terminal without an alternate screen is left empty.
        let text = Array(
            "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[m\u{1B}[2J\u{1B}[H\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, 1000)
        _ = write(descriptor, text, text.count)
        var saved = saved
        tcsetattr(input, TCSANOW, &saved)
    }

    /// Clears the screen; the next drawing is complete.
    func forget() {
        shown = []
        pending += Array("\u{1B}[2J".utf8)
    }

    func draw(_ lines: [String]) throws {
        next = lines
        try flush()
    }

    var size: TerminalSize { TerminalSize(descriptor) ?? TerminalSize(columns: 80, rows: 24) }

    /// Reads the bytes that the user has typed.
    func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(input, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    private func compose() {
        guard pending.isEmpty || shown.isEmpty, let lines = next else { return }
        next = nil
        for row in 0..<max(lines.count, shown.count) {
            let line = row < lines.count ? lines[row] : ""
            if row < shown.count && shown[row] == line { continue }
            pending += Array("\u{1B}[\(row + 1);1H\u{1B}[K\(line)\u{1B}[m".utf8)
        }
        shown = lines
    }

    // While this is true, the loop waits for room in the terminal.
    var hasBacklog: Bool { !pending.isEmpty }

    func flush() throws {
        compose()
        while !pending.isEmpty, StandardOutput.hasRoom(descriptor) {
            let count = try StandardOutput.writeOnce(pending, to: descriptor)
            if count == 0 { return }
            pending.removeFirst(count)
            if pending.isEmpty { compose() }
        }
    }
}
