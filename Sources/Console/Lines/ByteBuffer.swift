import Glibc

/// A growing byte buffer that keeps its memory for later bytes.
public struct ByteBuffer: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    public private(set) var count = 0

    private static let firstCapacity = 1024
    /// Memory beyond this is released when the buffer is empty.
    private static let keptCapacity = 1 << 16

    public init() {
        capacity = Self.firstCapacity
        start = .allocate(capacity: capacity)
    }

    deinit {
        start.deallocate()
    }

    /// Calls `body` with all bytes.
    public borrowing func withBytes<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeBufferPointer(start: start, count: count))
    }

    @inline(__always)
    public mutating func append(_ byte: UInt8) {
        reserve(1)
        start[count] = byte
        count += 1
    }

    public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        reserve(bytes.count)
        memcpy(start + count, source, bytes.count)
        count += bytes.count
    }

    public mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { append($0) } }

    /// Inlined: a text whose length the compiler knows is copied without a call.
    @inline(__always)
    public mutating func append(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        UnsafeMutableRawPointer(start + count).copyMemory(
            from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        count += text.utf8CodeUnitCount
    }

    public mutating func append(text: consuming String) {
        text.withUTF8 { append($0) }
    }

    public mutating func append(spaces length: Int) {
        reserve(length)
        (start + count).update(repeating: UInt8(ascii: " "), count: length)
        count += length
    }

    public mutating func append(decimal value: Int) {
        if (0..<10).contains(value) { return append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)) }
        if value < 0 { append(UInt8(ascii: "-")) }
        var length = 1
        var limit: UInt = 10
        while value.magnitude >= limit {
            length += 1
            if length == 20 { break }
            limit = limit &* 10
        }
        append(decimal: value.magnitude, length: length)
    }

    /// Appends the last `width` digits, padded with zeros.
    @inline(__always)
    public mutating func append(decimal value: Int, width: Int) {
        append(decimal: value.magnitude, length: width)
    }

    @inline(__always)
    private mutating func append(decimal value: UInt, length: Int) {
        reserve(length)
        count += length
        var (rest, left) = (value, length)
        var end = start + count
        // Two digits at a time.
        while left > 1 {
            let pair = Self.pairs.utf8Start + 2 * Int(bitPattern: rest % 100)
            rest /= 100
            end -= 2
            end[0] = pair[0]
            end[1] = pair[1]
            left -= 2
        }
        if left == 1 { end[-1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10) }
    }

    private static var pairs: StaticString {
        """
        00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354\
        555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
        """
    }

    public mutating func append(hexadecimal value: UInt32) {
        var length = 1
        while length < 8, value >> UInt32(4 * length) != 0 { length += 1 }
        append(hexadecimal: value, width: length)
    }

    mutating func append(hexadecimal value: UInt32, width: Int) {
        for place in (0..<width).reversed() {
            let digit = UInt8(truncatingIfNeeded: value >> UInt32(4 * place) & 0xF)
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// Removes bytes from the front. Once the buffer is empty, releases memory beyond `keptCapacity`.
    public mutating func removeFirst(_ length: Int) {
        count -= length
        if count > 0 {
            memmove(start, start + length, count)
        } else if capacity > Self.keptCapacity {
            resize(to: Self.firstCapacity)
        }
    }

    @inline(__always)
    private mutating func reserve(_ length: Int) {
        if capacity - count < length { resize(to: max(2 * capacity, count + length)) }
    }

    @inline(never)
    private mutating func resize(to size: Int) {
        let fresh = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
        memcpy(fresh, start, count)
        start.deallocate()
        start = fresh
        capacity = size
    }
}
