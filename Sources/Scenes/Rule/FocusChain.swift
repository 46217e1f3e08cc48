/// A window with the focus and those that it lends it to, each once. One alone, as there nearly always is,
/// needs no memory of its own.
package struct FocusChain: RandomAccessCollection, Equatable, Sendable {
    private var first: UInt32?
    private var rest: [UInt32] = []

    package var startIndex: Int { 0 }
    package var endIndex: Int { first == nil ? 0 : 1 + rest.count }

    package subscript(position: Int) -> UInt32 {
        if position == 0, let first { return first }
        return rest[position - 1]
    }

    /// - Returns: Whether the window is new in it.
    mutating func append(_ window: UInt32) -> Bool {
        if contains(window) { return false }
        if first == nil { first = window } else { rest.append(window) }
        return true
    }
}
