extension Event {
    /// A change as it is, or by way of inactive where it leads from active to background or back.
    var steps: [Event] {
        guard case .change(let change) = self, let from = change.from, let to = change.to,
            Set([from, to]) == [.active, .background]
        else { return [self] }
        var first = change
        var second = change
        first.to = .inactive
        second.from = .inactive
        second.held = .zero
        return [.change(first), .change(second)]
    }
}
