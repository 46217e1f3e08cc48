extension Change {
    /// The change as it is, or by way of inactive where it leads from active to background or back.
    var steps: [Change] {
        guard let from, let to, Set([from, to]) == [.active, .background] else { return [self] }
        var first = self
        var second = self
        first.to = .inactive
        second.from = .inactive
        second.held = .zero
        return [first, second]
    }
}
