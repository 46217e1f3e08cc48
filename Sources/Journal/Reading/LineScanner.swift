import PhaseWatch

/// Reads a line of the journal: one flat JSON object without white space, its keys in any order. Unknown keys are passed over.
struct LineScanner {
    private var next: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private var line = JournalLine()
    private var seen: UInt8 = 0
    private var times: UTCTime

    private static let kind: UInt8 = 1
    private static let run: UInt8 = 2
    private static let time: UInt8 = 4
    private static let clock: UInt8 = 8

    /// nil for what is no line of a journal.
    ///
    /// - Parameter times: Has read those of the lines before.
    static func line(in bytes: UnsafeBufferPointer<UInt8>, times: inout UTCTime) -> JournalLine? {
        guard let start = bytes.baseAddress else { return nil }
        var scanner = LineScanner(next: start, end: start + bytes.count, times: times)
        defer { times = scanner.times }
        return scanner.scan() ? scanner.line : nil
    }

    private init(next: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, times: UTCTime) {
        (self.next, self.end, self.times) = (next, end, times)
    }

    private mutating func scan() -> Bool {
        guard take("{") else { return false }
        repeat {
            guard let key = string(), take(":"), value(of: key) else { return false }
        } while take(",")
        guard take("}"), next == end, seen == 15 else { return false }
        switch line.kind {
        case .start: return line.version > 0 && line.display != nil
        case .group: return line.application != nil && line.group != nil
        case .title: return line.application != nil && line.group != nil
        case .session: return line.state != nil
        case .resumed, .alive, .stop: return true
        }
    }

    private mutating func value(of key: JournalLine.Text) -> Bool {
        switch key.first ?? 0 {
        case UInt8(ascii: "k") where key.equals("kind"):
            guard let word = string(), let kind = Self.kind(word) else { return false }
            line.kind = kind
            seen |= Self.kind
        case UInt8(ascii: "r") where key.equals("run"):
            guard let number = integer() else { return false }
            line.run = number
            seen |= Self.run
        case UInt8(ascii: "t") where key.equals("time"):
            guard let text = string(), let time = times.milliseconds(text) else { return false }
            line.time = time
            seen |= Self.time
        case UInt8(ascii: "c") where key.equals("clock"):
            guard let clock = seconds() else { return false }
            line.clock = clock
            seen |= Self.clock
        case UInt8(ascii: "a") where key.equals("application"):
            line.application = string()
            return line.application != nil
        case UInt8(ascii: "g") where key.equals("group"):
            line.group = string()
            return line.group != nil
        case UInt8(ascii: "t") where key.equals("title"):
            if takeNull() { return true }
            line.title = string()
            return line.title != nil
        case UInt8(ascii: "d") where key.equals("display"):
            line.display = string()
            return line.display != nil
        case UInt8(ascii: "b") where key.equals("boot"):
            line.boot = string()
            return line.boot != nil
        case UInt8(ascii: "t") where key.equals("to"): return phase()
        case UInt8(ascii: "s") where key.equals("state"): return state()
        case UInt8(ascii: "o") where key.equals("on"):
            guard let value = boolean() else { return false }
            line.isOn = value
        case UInt8(ascii: "c") where key.equals("continued"):
            guard let value = boolean() else { return false }
            line.isContinued = value
        case UInt8(ascii: "v") where key.equals("v"):
            guard let number = integer() else { return false }
            line.version = number
        case UInt8(ascii: "p") where key.equals("pid"):
            guard let number = integer() else { return false }
            line.pid = number
        case UInt8(ascii: "t") where key.equals("ticks"):
            guard let number = integer() else { return false }
            line.ticks = number
        case UInt8(ascii: "s") where key.equals("slept"):
            guard let time = seconds() else { return false }
            line.slept = time
        default: return skipValue()
        }
        return true
    }

    private static func kind(_ word: JournalLine.Text) -> JournalLine.Kind? {
        if word.equals("group") { return .group }
        if word.equals("title") { return .title }
        if word.equals("alive") { return .alive }
        if word.equals("session") { return .session }
        if word.equals("start") { return .start }
        if word.equals("stop") { return .stop }
        return word.equals("resumed") ? .resumed : nil
    }

    private mutating func phase() -> Bool {
        if takeNull() { return true }
        guard let word = string() else { return false }
        if word.equals("active") {
            line.phase = .active
        } else if word.equals("inactive") {
            line.phase = .inactive
        } else if word.equals("background") {
            line.phase = .background
        } else {
            return false
        }
        return true
    }

    private mutating func state() -> Bool {
        line.state = string().flatMap { SessionState(rawValue: String(decoding: $0, as: UTF8.self)) }
        return line.state != nil
    }
}

/// JSON values.
extension LineScanner {
    @inline(__always)
    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard next < end, next.pointee == UInt8(ascii: mark) else { return false }
        next += 1
        return true
    }

    private mutating func string() -> JournalLine.Text? {
        guard take("\"") else { return nil }
        var place = next
        while place < end, place.pointee != UInt8(ascii: "\"") {
            if place.pointee < 0x20 { return nil }
            place += place.pointee == UInt8(ascii: "\\") ? 2 : 1
        }
        guard place < end else { return nil }
        defer { next = place + 1 }
        return UnsafeBufferPointer(start: next, count: place - next)
    }

    private mutating func boolean() -> Bool? {
        if take("t") { return take("r") && take("u") && take("e") ? true : nil }
        return take("f") && take("a") && take("l") && take("s") && take("e") ? false : nil
    }

    private mutating func takeNull() -> Bool {
        guard take("n") else { return false }
        return take("u") && take("l") && take("l")
    }

    /// At most 15 digits, so that no sum of them overflows.
    private mutating func integer() -> Int? {
        let start = next
        var value = 0
        while next < end, case let digit = next.pointee &- 0x30, digit < 10, next - start < 16 {
            value = value &* 10 &+ Int(digit)
            next += 1
        }
        return next > start && next - start < 16 ? value : nil
    }

    /// Seconds with three decimals, as milliseconds.
    private mutating func seconds() -> Int64? {
        guard let whole = integer(), whole < 1_000_000_000_000, take(".") else { return nil }
        let start = next
        guard let part = integer(), next - start == 3 else { return nil }
        return Int64(whole) &* 1000 &+ Int64(part)
    }

    private mutating func skipValue() -> Bool {
        guard next < end else { return false }
        switch next.pointee {
        case UInt8(ascii: "\""): return string() != nil
        case UInt8(ascii: "{"), UInt8(ascii: "["): return false
        default:
            let start = next
            while next < end, ![UInt8(ascii: ","), UInt8(ascii: "}")].contains(next.pointee) { next += 1 }
            return next > start
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    @inline(__always)
    func equals(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount, let start = baseAddress else { return false }
        let other = word.utf8Start
        for index in 0..<count where start[index] != other[index] { return false }
        return true
    }
}
