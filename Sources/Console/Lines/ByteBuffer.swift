import Glibc

/// Bytes that are written one behind the other, in memory that is kept for those that come after them.
public struct ByteBuffer: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    public private(set) var count = 0

    private static let firstCapacity = 1024
    /// Memory beyond this is given back when the buffer is empty.
    private static let keptCapacity = 1 << 16

    public init() {
        capacity = Self.firstCapacity
        start = .allocate(capacity: capacity)
    }

    deinit {
        start.deallocate()
    }

    /// Lends all of them.
    public borrowing func withBytes<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeBufferPointer(start: start, count: count))
    }

    public mutating func append(_ byte: UInt8) {
        if count == capacity { reserve(1) }
        start[count] = byte
        count += 1
    }

    public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        reserve(bytes.count)
        memcpy(start + count, source, bytes.count)
        count += bytes.count
    }

    public mutating func append(_ text: StaticString) {
        write(text.utf8CodeUnitCount) {
            memcpy($0, text.utf8Start, text.utf8CodeUnitCount)
            return text.utf8CodeUnitCount
        }
    }

    /// Appends up to `length` bytes: those that `body` has written where it was told to, which it counts.
    mutating func write(_ length: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(length)
        count += body(start + count)
    }

    public mutating func append(_ text: consuming String) {
        text.withUTF8 { append($0) }
    }

    /// Appends a word that needs no escaping.
    mutating func append(word: String) {
        var word = word
        word.withUTF8 { append($0) }
    }

    public mutating func append(decimal value: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(digits: value.magnitude, base: 10, width: 1)
    }

    /// With zeros in front up to `width`.
    public mutating func append(decimal value: Int, width: Int) {
        append(digits: value.magnitude, base: 10, width: width)
    }

    public mutating func append(hexadecimal value: UInt32) {
        append(digits: UInt(value), base: 16, width: 1)
    }

    mutating func append(digits value: UInt, base: UInt, width: Int) {
        if value < 10 && width == 1 { return append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)) }
        var length = 1
        var limit = base
        while value >= limit {
            length += 1
            let (next, isOver) = limit.multipliedReportingOverflow(by: base)
            if isOver { break }
            limit = next
        }
        length = max(length, width)
        reserve(length)
        var rest = value
        for place in (count..<count + length).reversed() {
            let digit = UInt8(truncatingIfNeeded: rest % base)
            start[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            rest /= base
        }
        count += length
    }

    /// Removes bytes from the front, and with the last of them memory that was needed once only.
    public mutating func removeFirst(_ length: Int) {
        count -= length
        if count > 0 {
            memmove(start, start + length, count)
        } else if capacity > Self.keptCapacity {
            resize(to: Self.firstCapacity)
        }
    }

    private mutating func reserve(_ length: Int) {
        if capacity - count < length { resize(to: max(2 * capacity, count + length)) }
    }

    private mutating func resize(to size: Int) {
        let fresh = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
        memcpy(fresh, start, count)
        start.deallocate()
        start = fresh
        capacity = size
    }
}
