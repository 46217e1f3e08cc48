import Glibc
import PhaseWatch

/// Colours for text on a terminal, or none.
struct Palette {
    let isColoured: Bool

    /// Colours if stdout is a terminal and NO_COLOR (https://no-color.org) is not set.
    static var forStandardOutput: Palette {
        let refusal = getenv("NO_COLOR").map { String(cString: $0) } ?? ""
        return Palette(isColoured: isatty(STDOUT_FILENO) == 1 && refusal.isEmpty)
    }

    func phase(_ text: String, _ phase: ScenePhase?) -> String { paint(text, phase.flatMap(code)) }

    func strong(_ text: String) -> String { paint(text, "1") }

    func faint(_ text: String) -> String { paint(text, code(of: .background)) }

    /// Green, red and grey of the 256 colours, which have a contrast of at least 4.5 on black and on white. Terminals
    /// themselves choose the first 16 colours, and what is faint.
    private func code(of phase: ScenePhase) -> String {
        switch phase {
        case .active: "38;5;29"
        case .inactive: "38;5;131"
        case .background: "38;5;243"
        }
    }

    private func paint(_ text: String, _ code: String?) -> String {
        guard isColoured, let code else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
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
