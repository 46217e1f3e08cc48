/// Finds, for many windows at once, another one that covers each: to compare every two would take quadratic time.
struct CoverSearch {
    /// The place of a window on its screen.
    struct Area: Equatable {
        let screen: Int
        let place: Rectangle

        fileprivate var right: Int32 { place.x &+ place.width }
        fileprivate var bottom: Int32 { place.y &+ place.height }

        func covers(_ other: Area) -> Bool { screen == other.screen && place.contains(other.place) }

        /// What covers another one precedes it.
        fileprivate func precedes(_ other: Area) -> Bool {
            (screen, place.x, place.y, other.right, other.bottom)
                < (other.screen, other.place.x, other.place.y, right, bottom)
        }
    }

    /// A window, and what the search takes it for.
    struct Window {
        let slot: Int32
        let area: Area
        let mayCover: Bool
        /// Whether one that covers it is wanted.
        let isAsked: Bool
        /// The place of its right edge among all, the rightmost is 1.
        fileprivate var rank = 0

        init(slot: Int32, area: Area, mayCover: Bool, isAsked: Bool) {
            (self.slot, self.area, self.mayCover, self.isAsked) = (slot, area, mayCover, isAsked)
        }
    }

    private var windows: [Window]
    /// By the slot of one that is asked for: the slot of another one that covers it.
    private(set) var found: [Int32: Int32] = [:]
    /// How many windows were compared.
    private(set) var comparisons = 0
    /// By rank, as in a Fenwick tree: of the windows that reach as far to the right, the one with the lowest bottom edge.
    private var lowest: [Int32?]

    init(_ windows: [Window]) {
        var count = 0
        self.windows = windows.sorted {
            count += 1
            return $0.area.precedes($1.area)
        }
        lowest = Array(repeating: nil, count: windows.count + 1)
        rank(&count)
        comparisons = count
        findEqual()
        var order = Array(self.windows.indices)
        var first = 0
        for index in self.windows.indices.dropFirst()
        where self.windows[index].area.screen != self.windows[first].area.screen {
            find(first..<index, &order)
            first = index
        }
        find(first..<self.windows.count, &order)
    }

    private mutating func rank(_ count: inout Int) {
        let byRight = windows.indices.sorted {
            count += 1
            return windows[$0].area.right > windows[$1].area.right
        }
        for (place, index) in byRight.enumerated() {
            let last = place == 0 ? nil : byRight[place - 1]
            let isLevel = last.map { windows[$0].area.right == windows[index].area.right } ?? false
            windows[index].rank = isLevel ? last.map { windows[$0].rank } ?? 1 : place + 1
        }
    }

    /// Of windows in the same place each covers the others; `find` has the later ones covered only.
    private mutating func findEqual() {
        var later: Window?
        for window in windows.reversed() {
            if let last = later, last.area != window.area { later = nil }
            if let later, window.isAsked { found[window.slot] = later.slot }
            if window.mayCover { later = window }
        }
    }

    /// Looks for what covers the windows of the second half in the first one, after each half by itself. Leaves them ordered
    /// by their upper edges.
    private mutating func find(_ range: Range<Int>, _ order: inout [Int]) {
        guard range.count > 1 else { return }
        let middle = range.lowerBound + range.count / 2
        find(range.lowerBound..<middle, &order)
        find(middle..<range.upperBound, &order)
        var next = range.lowerBound
        for index in order[middle..<range.upperBound] {
            let window = windows[index]
            while next < middle, windows[order[next]].area.place.y <= window.area.place.y {
                if windows[order[next]].mayCover { note(order[next]) }
                next += 1
            }
            if window.isAsked, found[window.slot] == nil, let other = widest(window) {
                found[window.slot] = other
            }
        }
        for index in order[range.lowerBound..<next] { forget(index) }
        var count = 0
        order[range].sort {
            count += 1
            return windows[$0].area.place.y < windows[$1].area.place.y
        }
        comparisons += count
    }

    private mutating func note(_ index: Int) {
        var place = windows[index].rank
        while place < lowest.count {
            comparisons += 1
            if lowest[place].map({ windows[Int($0)].area.bottom < windows[index].area.bottom }) ?? true {
                lowest[place] = Int32(index)
            }
            place += place & -place
        }
    }

    /// The slot of a noted window that covers one; nil for none.
    private mutating func widest(_ window: Window) -> Int32? {
        var place = window.rank
        while place > 0 {
            comparisons += 1
            if let index = lowest[place].map({ Int($0) }), windows[index].area.bottom >= window.area.bottom {
                return windows[index].slot
            }
            place -= place & -place
        }
        return nil
    }

    private mutating func forget(_ index: Int) {
        var place = windows[index].rank
        while place < lowest.count {
            lowest[place] = nil
            place += place & -place
        }
    }
}
