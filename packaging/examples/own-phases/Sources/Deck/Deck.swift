import Glibc
import PhaseWatch

/// Prints the page of a key deck for the application in use: `Deck Firefox=web Emacs=code`.
@main
enum Deck {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst().map { $0.split(separator: "=", maxSplits: 1) }
        let pages = Dictionary(words.map { ($0[0], $0[1]) }) { $1 }
        for try await change in try PhaseMonitor().changes(of: .all)
        where change.level == .application && change.to == .active {
            print(pages[Substring(change.application)] ?? "home")
            fflush(nil)
        }
    }
}
