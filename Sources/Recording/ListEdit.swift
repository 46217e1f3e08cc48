/// What makes one list of another, as lists of windows change: most often one of them has moved to an end.
enum ListEdit {
    private static let firstToEnd = -1
    private static let lastToFront = -2

    /// The place of the first element that differs, how many do, and what comes in their place, or which of them moves.
    static func numbers(from old: [UInt32], to new: [UInt32]) -> [Int] {
        let (start, end) = commonEnds(old, new)
        let (before, after) = (old[start..<old.count - end], new[start..<new.count - end])
        let place = [start, before.count]
        if before.count > 1, before.count == after.count, let first = before.first, let last = before.last {
            if after.last == first && before.dropFirst().elementsEqual(after.dropLast()) {
                return place + [firstToEnd]
            }
            if after.first == last && before.dropLast().elementsEqual(after.dropFirst()) {
                return place + [lastToFront]
            }
        }
        return place + after.map { Int($0) }
    }

    static func apply(_ numbers: [Int], to list: inout [UInt32]) throws(RecordingFault) {
        guard numbers.count >= 2, numbers[0] >= 0, numbers[1] >= 0, numbers[0] <= list.count,
            numbers[1] <= list.count - numbers[0]
        else { throw RecordingFault("a list is changed where it has nothing") }
        let range = numbers[0]..<numbers[0] + numbers[1]
        var part = list[range]
        let news = numbers[2...]
        if news.count == 1, let move = news.first, move < 0, !part.isEmpty {
            if move == firstToEnd {
                part.append(part.removeFirst())
            } else {
                part.insert(part.removeLast(), at: part.startIndex)
            }
            list.replaceSubrange(range, with: part)
        } else {
            guard news.allSatisfy({ $0 >= 0 }) else { throw RecordingFault("a window has a number below 0") }
            list.replaceSubrange(range, with: news.map { UInt32($0) })
        }
    }

    /// How many elements two lists have in common at their start, and behind that at their end.
    static func commonEnds(_ old: [UInt32], _ new: [UInt32]) -> (Int, Int) {
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start] == new[start] { start += 1 }
        var end = 0
        while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        return (start, end)
    }
}

/// The windows to move, the lowest first, each above its predecessor, to turn one order into another.
struct Restacking {
    /// How many windows at most are taken for raised at once; otherwise the one above them is taken for lowered.
    private static let mostRaised = 8

    /// By place in the new order.
    private(set) var isPut: [Bool]

    init(from old: [UInt32], to new: [UInt32]) {
        isPut = [Bool](repeating: false, count: new.count)
        let (start, end) = ListEdit.commonEnds(old, new)
        let (oldPart, newPart) = (old[start..<old.count - end], new[start..<new.count - end])
        if newPart.isEmpty { return }
        let (members, kept) = (Set(newPart), Set(oldPart))
        let stay = oldPart.filter(members.contains)
        var (next, raised, lowered) = (0, Set<UInt32>(), Set<UInt32>())
        for (place, window) in zip(newPart.indices, newPart) {
            while next < stay.count, lowered.contains(stay[next]) || raised.contains(stay[next]) { next += 1 }
            if !kept.contains(window) || raised.contains(window) {
                isPut[place] = true
            } else if let found = stay[next...].prefix(Self.mostRaised).firstIndex(of: window) {
                raised.formUnion(stay[next..<found])
                next = found + 1
            } else {
                lowered.insert(window)
                isPut[place] = true
            }
        }
    }
}
