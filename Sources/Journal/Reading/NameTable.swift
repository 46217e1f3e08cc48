/// Gives names numbers, by their bytes: no string is made before a report is written.
///
/// Names come from windows. When there are too many of them, further ones share the number of `others`.
struct NameTable {
    /// What further names are called.
    static let others = "(others)"
    private static let mostNames = 20_000
    private static let mostBytes = 4 << 20

    private var bytes: [UInt8] = []
    /// Where the bytes of a name begin; the next one begins at its end.
    private var starts: [Int] = [0]
    /// Numbers by hash, -1 for none.
    private var slots: [Int32] = Array(repeating: -1, count: 1024)
    private var othersNumber: Int?

    var count: Int { starts.count - 1 }

    /// The number of a name in two parts; of one, where the second is empty.
    mutating func number(of first: JournalLine.Text, _ second: JournalLine.Text? = nil) -> Int {
        var slot = find(first, second)
        if slots[slot] >= 0 { return Int(slots[slot]) }
        if count >= Self.mostNames || bytes.count > Self.mostBytes { return shared() }
        if 2 * count >= slots.count {
            grow()
            slot = find(first, second)
        }
        let number = append {
            $0.bytes += first
            if let second {
                $0.bytes.append(Self.separator)
                $0.bytes += second
            }
        }
        slots[slot] = Int32(number)
        return number
    }

    /// The number of `others`.
    mutating func shared() -> Int {
        if let othersNumber { return othersNumber }
        let number = append { $0.bytes += Self.others.utf8 }
        othersNumber = number
        return number
    }

    func isShared(_ number: Int) -> Bool { number == othersNumber }

    /// The parts of a name.
    func parts(_ number: Int) -> (first: String, second: String?) {
        let parts = bytes[starts[number]..<starts[number + 1]]
            .split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
        return (Self.text(parts[0]), parts.count > 1 ? Self.text(parts[1]) : nil)
    }

    /// Never in a JSON string.
    private static let separator: UInt8 = 0x1F

    private mutating func append(_ write: (inout NameTable) -> Void) -> Int {
        write(&self)
        starts.append(bytes.count)
        return count - 1
    }

    private func find(_ first: JournalLine.Text, _ second: JournalLine.Text?) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for byte in first { mix(byte) }
        if let second {
            mix(Self.separator)
            for byte in second { mix(byte) }
        }
        hash ^= hash >> 29
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0, !isEqual(Int(slots[slot]), first, second) {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private func isEqual(_ number: Int, _ first: JournalLine.Text, _ second: JournalLine.Text?) -> Bool {
        var index = starts[number]
        let length = first.count + (second.map { $0.count + 1 } ?? 0)
        guard starts[number + 1] - index == length else { return false }
        for byte in first {
            if bytes[index] != byte { return false }
            index += 1
        }
        guard let second else { return true }
        if bytes[index] != Self.separator { return false }
        index += 1
        for byte in second {
            if bytes[index] != byte { return false }
            index += 1
        }
        return true
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: -1, count: 2 * old.count)
        for number in old where number >= 0 {
            let name = Array(bytes[starts[Int(number)]..<starts[Int(number) + 1]])
            name.withUnsafeBufferPointer { slots[find($0, nil)] = number }
        }
    }

    /// What a JSON string stands for; what is no escape stays as it is.
    static func text(_ json: some Collection<UInt8>) -> String {
        guard json.contains(UInt8(ascii: "\\")) else { return String(decoding: json, as: UTF8.self) }
        var units: [UInt16] = []
        var rest = Array(String(decoding: json, as: UTF8.self).utf16)[...]
        while let unit = rest.popFirst() {
            guard unit == 0x5C, let escape = rest.popFirst() else {
                units.append(unit)
                continue
            }
            switch escape {
            case 0x6E: units.append(0x0A)
            case 0x74: units.append(0x09)
            case 0x72: units.append(0x0D)
            case 0x75:
                let digits = String(decoding: rest.prefix(4), as: UTF16.self)
                units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
                rest = rest.dropFirst(4)
            default: units.append(escape)
            }
        }
        return String(decoding: units, as: UTF16.self)
    }
}
