import Glibc
import System

/// The terminal on which `xphase top` draws, without ever waiting for it.
final class TopScreen {
    let descriptor: Int32
    private var original = termios()
    private var isEntered = false
    private(set) var pending: [UInt8] = []

    /// Creates a screen; nil if there is no terminal that supports the escape sequences.
    init?() {
        guard let name = getenv("TERM").map({ String(cString: $0) }), !["", "dumb"].contains(name),
            isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &original) == 0
        else { return nil }
        descriptor = StandardOutput.withoutWaiting()
    }

    /// Switches to the alternate screen.
    func enter() {
        var raw = original
        // Ctrl-C and Ctrl-Z stay signals.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // Ctrl-S would stop the output, including the final one.
        raw.c_iflag &= ~tcflag_t(IXON)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        // The alternate screen, no cursor, no line wrapping.
        if !isEntered { pending += Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l".utf8) }
        isEntered = true
    }

    /// Restores the terminal.
    func leave() {
        if !isEntered { return }
        (isEntered, pending) = (false, [])
        // A terminal without an alternate screen is left empty.
        let text = Array("\u{1B}[m\u{1B}[2J\u{1B}[H\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, 1000)
        _ = write(descriptor, text, text.count)
        tcsetattr(STDIN_FILENO, TCSANOW, &original)
    }

    var size: TerminalSize { TerminalSize(of: descriptor) }

    func draw(_ lines: [String]) {
        let rest = Array(repeating: "", count: max(0, size.rows - lines.count))
        let text = (lines + rest).map { "\u{1B}[K\($0)\u{1B}[m" }.joined(separator: "\r\n")
        pending += Array(("\u{1B}[H" + text).utf8)
    }

    func flush() throws {
        while !pending.isEmpty, StandardOutput.hasRoom(descriptor) {
            let count = try StandardOutput.writeOnce(pending, to: descriptor)
            if count == 0 { return }
            pending.removeFirst(count)
        }
    }
}
