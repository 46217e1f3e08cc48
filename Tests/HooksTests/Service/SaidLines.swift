import System

/// A log that keeps what is said.
final class SaidLines {
    private(set) var all: [String] = []
    private(set) lazy var log = Log(-1) { [unowned self] text in
        all.append(text)
        return []
    }
}
