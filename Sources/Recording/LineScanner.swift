import Scenes

/// What is wrong with a recording, and where.
public struct RecordingFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the line, from 1.
    public internal(set) var line = 0
    /// A clause that says what is wrong.
    public let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// `12: what is wrong`.
    public var description: String { "\(line): \(text)" }

    /// The same, in a line.
    package func at(line: Int) -> RecordingFault {
        var fault = self
        fault.line = line
        return fault
    }
}

/// Reads one line of a recording: JSON, each value of the type and in the bounds that are asked for.
struct LineScanner {
    private static let deepest = 16
    private static let longestText = 1 << 16

    private let bytes: ArraySlice<UInt8>
    private var next: Int

    init(_ line: ArraySlice<UInt8>) {
        bytes = line
        next = line.startIndex
    }

    private var byte: UInt8? { next < bytes.endIndex ? bytes[next] : nil }

    /// Reads an object; `read` is called with each key, and reads its value.
    mutating func object(
        _ read: (inout LineScanner, String) throws(RecordingFault) -> Void
    ) throws(RecordingFault) {
        try expect("{", "an object")
        if skip("}") { return }
        repeat {
            let key = try text()
            try expect(":", "':'")
            try read(&self, key)
        } while skip(",")
        try expect("}", "',' or '}'")
    }

    /// Reads a list; `read` reads each element.
    mutating func list(
        _ read: (inout LineScanner) throws(RecordingFault) -> Void
    ) throws(RecordingFault) {
        try expect("[", "a list")
        if skip("]") { return }
        repeat { try read(&self) } while skip(",")
        try expect("]", "',' or ']'")
    }

    /// Reads a list of numbers.
    mutating func integers(
        _ range: ClosedRange<Int>, _ count: ClosedRange<Int>
    ) throws(RecordingFault) -> [Int] {
        var numbers: [Int] = []
        try list { scanner throws(RecordingFault) in
            numbers.append(try scanner.integer(range))
            if numbers.count > count.upperBound { throw RecordingFault("a list is too long") }
        }
        if numbers.count < count.lowerBound { throw RecordingFault("a list is too short") }
        return numbers
    }

    mutating func integer(_ range: ClosedRange<Int>) throws(RecordingFault) -> Int {
        skipSpaces()
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative { next += 1 }
        let start = next
        var value = 0
        while let digit = byte, (0x30...0x39).contains(digit) {
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, exceeds) = product.addingReportingOverflow(Int(digit & 15))
            if overflows || exceeds { throw RecordingFault("a number is too large") }
            value = sum
            next += 1
        }
        if next == start { throw fault("a whole number") }
        if let byte, [".", "e", "E"].map({ UInt8(ascii: $0) }).contains(byte) {
            throw fault("a whole number")
        }
        value = isNegative ? -value : value
        guard range.contains(value) else {
            throw RecordingFault("\(value) is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    mutating func xid() throws(RecordingFault) -> UInt32 { UInt32(try integer(0...0xFFFF_FFFF)) }

    mutating func optionalXID() throws(RecordingFault) -> UInt32? { skipNull() ? nil : try xid() }

    mutating func flag() throws(RecordingFault) -> Bool {
        if skip(word: "true") { return true }
        if skip(word: "false") { return false }
        throw fault("true or false")
    }

    mutating func optionalText() throws(RecordingFault) -> String? { skipNull() ? nil : try text() }

    mutating func text() throws(RecordingFault) -> String {
        try expect("\"", "a string")
        var found: [UInt8] = []
        while let byte, byte != UInt8(ascii: "\"") {
            next += 1
            if byte < 0x20 { throw RecordingFault("a string has a control character") }
            if byte == UInt8(ascii: "\\") { found += try escaped() } else { found.append(byte) }
            if found.count > Self.longestText { throw RecordingFault("a string is too long") }
        }
        try expect("\"", "the end of a string")
        guard let text = String(validating: found, as: UTF8.self) else {
            throw RecordingFault("a string is not UTF-8")
        }
        return text
    }

    mutating func optionalRectangle() throws(RecordingFault) -> Rectangle? {
        skipNull() ? nil : try rectangle()
    }

    /// No window is farther away or larger.
    mutating func rectangle() throws(RecordingFault) -> Rectangle {
        let numbers = try integers(-0x100_0000...0x100_0000, 4...4)
        guard numbers[2] >= 0, numbers[3] >= 0 else { throw RecordingFault("a rectangle has no size") }
        return Rectangle(
            x: Int32(numbers[0]), y: Int32(numbers[1]), width: Int32(numbers[2]), height: Int32(numbers[3]))
    }

    mutating func optionalRectangles() throws(RecordingFault) -> [Rectangle]? {
        if skipNull() { return nil }
        var rectangles: [Rectangle] = []
        try list { scanner throws(RecordingFault) in
            rectangles.append(try scanner.rectangle())
            if rectangles.count > 1000 { throw RecordingFault("a list is too long") }
        }
        return rectangles
    }

    mutating func skipNull() -> Bool { skip(word: "null") }

    /// Leaves out a value that this version knows nothing of.
    mutating func skipValue(depth: Int = 0) throws(RecordingFault) {
        if depth == Self.deepest { throw RecordingFault("values are nested too deeply") }
        skipSpaces()
        switch byte {
        case UInt8(ascii: "{"):
            try object { scanner, _ throws(RecordingFault) in try scanner.skipValue(depth: depth + 1) }
        case UInt8(ascii: "["):
            try list { scanner throws(RecordingFault) in try scanner.skipValue(depth: depth + 1) }
        case UInt8(ascii: "\""): _ = try text()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try flag()
        case UInt8(ascii: "n") where skipNull(): break
        default: _ = try integer(Int.min + 1...Int.max)
        }
    }

    /// Reads what a line begins with: its moment, and what the calendar says then if that is told.
    mutating func lineStart() throws(RecordingFault) -> (
        now: Int64, calendar: (seconds: Int, nanoseconds: Int)?
    ) {
        try expect("{", "an object")
        guard skip(word: "\"t\"") else { throw RecordingFault("it does not begin with its time") }
        try expect(":", "':'")
        // A hundred years.
        let now = Int64(try integer(0...3_200_000_000_000_000_000))
        guard skip(","), skip(word: "\"time\"") else { return (now, nil) }
        try expect(":", "':'")
        return (now, try calendarTime())
    }

    /// Checks that nothing follows.
    mutating func expectEnd() throws(RecordingFault) {
        skipSpaces()
        if byte != nil { throw fault("the end of the line") }
    }

    private mutating func escaped() throws(RecordingFault) -> [UInt8] {
        guard let byte else { throw fault("the end of a string") }
        next += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"):
            var units = [try hexUnit()]
            if UTF16.isLeadSurrogate(units[0]), bytes[next...].starts(with: Array("\\u".utf8)) {
                next += 2
                units.append(try hexUnit())
            }
            guard let text = String(validating: units, as: UTF16.self) else { throw Self.noCharacter }
            return Array(text.utf8)
        default: throw RecordingFault("a string has an unknown escape")
        }
    }

    private static let noCharacter = RecordingFault("a string has an escape that stands for no character")

    /// The four digits of an escape.
    private mutating func hexUnit() throws(RecordingFault) -> UInt16 {
        guard let digits = String(validating: bytes[next...].prefix(4), as: UTF8.self),
            digits.utf8.count == 4, let unit = UInt16(digits, radix: 16)
        else { throw Self.noCharacter }
        next += 4
        return unit
    }

    private mutating func expect(_ character: Unicode.Scalar, _ wanted: String) throws(RecordingFault) {
        if !skip(character) { throw fault(wanted) }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skipSpaces()
        guard byte == UInt8(ascii: character) else { return false }
        next += 1
        return true
    }

    private mutating func skip(word: StaticString) -> Bool {
        skipSpaces()
        let length = word.utf8CodeUnitCount
        guard bytes.endIndex - next >= length,
            word.withUTF8Buffer({ bytes[next..<next + length].elementsEqual($0) })
        else { return false }
        next += length
        return true
    }

    private mutating func skipSpaces() {
        while let byte, byte == 0x20 || byte == 9 || byte == 13 { next += 1 }
    }

    private func fault(_ wanted: String) -> RecordingFault {
        RecordingFault("\(wanted) is missing at byte \(next - bytes.startIndex + 1)")
    }
}
