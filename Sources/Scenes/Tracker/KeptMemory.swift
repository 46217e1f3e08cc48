extension Array {
    /// Whether its memory is for far more elements than usual, so that it is not to be kept.
    var isOversized: Bool { capacity > 64 }

    /// Empties it for what comes next.
    mutating func empty() {
        removeAll(keepingCapacity: !isOversized)
    }
}
