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

    func phase(_ text: String, _ phase: ScenePhase?) -> String {
        switch phase {
        case .active: paint(text, "32")
        case .inactive: paint(text, "33")
        case .background: paint(text, "2")
        case nil: text
        }
    }

    func strong(_ text: String) -> String { paint(text, "1") }

    func faint(_ text: String) -> String { paint(text, "2") }

    private func paint(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
