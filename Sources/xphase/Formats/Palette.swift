import Glibc
import PhaseWatch

/// Colours for text on a terminal, or none.
struct Palette {
    let isColoured: Bool

    /// Colours if stdout is a terminal and NO_COLOR (https://no-color.org) is not set.
    static var forStandardOutput: Palette {
        let refusal = getenv("NO_COLOR").map { String(cString: $0) } ?? ""
        return Palette(isColoured: StandardOutput.isTerminal && refusal.isEmpty)
    }

    func phase(_ text: String, _ phase: ScenePhase?) -> String { paint(text, phase.flatMap(code)) }

    func strong(_ text: String) -> String { paint(text, strongCode) }

    func faint(_ text: String) -> String { paint(text, faintCode) }

    /// Returns the escape sequence that starts the colour of a phase; nil without colours. The colours are readable on
    /// black and on white.
    private func code(of phase: ScenePhase) -> String? {
        switch phase {
        case .active: isColoured ? "\u{1B}[38;5;28m" : nil
        case .inactive: isColoured ? "\u{1B}[38;5;130m" : nil
        case .background: faintCode
        }
    }

    private var strongCode: String? { isColoured ? "\u{1B}[1m" : nil }
    private var faintCode: String? { isColoured ? "\u{1B}[2m" : nil }

    private func paint(_ text: String, _ code: String?) -> String {
        code.map { "\($0)\(text)\u{1B}[0m" } ?? text
    }
}
