import Glibc
import Synchronization

/// A POSIX extended regular expression of the C library, compiled once.
///
/// Its texts come from windows, so that both its time and its memory have bounds: glibc needs time that is exponential
/// in the text for back-references alone, which are refused, and keeps a state for every way through a text that it has
/// seen, which are let go after so many bytes.
final class RegularExpression: Sendable {
    /// Why a text is no regular expression.
    struct Fault: Error {
        let text: String
    }

    private struct Compiled: ~Copyable {
        let buffer: UnsafeMutablePointer<regex_t>
        /// How many bytes were matched with it.
        var used = 0

        private init(_ buffer: UnsafeMutablePointer<regex_t>) {
            self.buffer = buffer
        }

        /// - Parameter code: Gets what regcomp(3) says.
        static func make(_ text: String, code: inout Int32) -> Compiled? {
            let buffer = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
            code = Locale.inUTF8 { regcomp(buffer, text, REG_EXTENDED | REG_ICASE | REG_NOSUB) }
            if code == 0 { return Compiled(buffer) }
            buffer.deallocate()
            return nil
        }

        deinit {
            regfree(buffer)
            buffer.deallocate()
        }
    }

    /// The longest one, in bytes.
    private static let limit = 1024
    /// How many characters it may come to with its repeats written out. Memory grows with the square: 2000 that may each be
    /// left out take 32 MB, 10,000 take 790.
    private static let mostCharacters = 2000
    /// How many bytes are matched until the states are let go.
    private static let bytesOfStates = 1 << 14

    private let text: String
    private let compiled: Mutex<Compiled?>

    /// - Throws: What is wrong with it, and where.
    init(_ text: some StringProtocol) throws(Fault) {
        self.text = String(text)
        if text.isEmpty { throw Fault(text: "it is empty, and would match everything") }
        if text.utf8.count > Self.limit { throw Fault(text: "it is longer than \(Self.limit) bytes") }
        if let excess = Self.survey(self.text).excess { throw excess }
        var code: Int32 = 0
        guard let first = Compiled.make(self.text, code: &code) else { throw Self.fault(code, in: self.text) }
        compiled = Mutex(first)
    }

    /// Whether some part of a text matches.
    func matches(_ text: String) -> Bool {
        compiled.withLock { compiled in
            let used = (compiled?.used ?? 0) + text.utf8.count
            if used > Self.bytesOfStates || compiled == nil {
                var code: Int32 = 0
                compiled = Compiled.make(self.text, code: &code)
            } else {
                compiled?.used = used
            }
            guard let buffer = compiled?.buffer else { return false }
            return Locale.inUTF8 { regexec(buffer, text, 0, nil, 0) == 0 }
        }
    }

    /// Looks at each part of a text.
    ///
    /// - Returns: A part with unbounded cost, which is a back-reference, or repeats of what is long, which regcomp(3) copies;
    ///   and how many groups are open there, or at the end.
    private static func survey(_ text: String) -> (excess: Fault?, openGroups: Int) {
        var rest = Substring(text).unicodeScalars
        var (group, outer) = (Length(), [Length]())
        while !rest.isEmpty {
            let index = rest.startIndex
            func excess(_ what: String) -> (Fault, Int) {
                let place = text.unicodeScalars[..<index].count + 1
                return (Fault(text: "\(what), at character \(place)"), outer.count)
            }
            switch rest.removeFirst() {
            case "\\":
                if let next = rest.popFirst(), ("1"..."9").contains(next) {
                    return excess("back-references such as \\\(next) have no bounds in time")
                }
                group.append(1)
            case "[":
                // What is not closed is told by regcomp(3).
                _ = rest.dropBrackets(hasEscapes: false)
                group.append(1)
            case "(":
                outer.append(group)
                group = Length()
            case ")":
                // One that closes nothing stands for itself.
                let inner = outer.isEmpty ? 0 : group.whole
                group = outer.popLast() ?? group
                group.append(inner + 1)
            case "*", "?":
                group.last += 1
            case "+":
                // regcomp(3) takes `a+` for `aa*`.
                group.last += group.last + 1
            case "{":
                group.last *= rest.popCount(limit: mostCharacters)
            default:
                group.append(1)
            }
            if group.whole > mostCharacters {
                return excess("it is longer than \(mostCharacters) characters with its repeats written out")
            }
        }
        return (nil, outer.count)
    }

    /// How many characters a part comes to.
    private struct Length {
        private var before = 0
        /// Of what stands last, which a repeat that follows copies.
        var last = 0
        var whole: Int { before + last }

        mutating func append(_ length: Int) {
            before += last
            last = length
        }
    }

    /// regcomp(3) does not say where; it is behind the longest part that is a regular expression by itself, its groups closed
    /// unless that is what is wrong.
    private static func fault(_ code: Int32, in text: String) -> Fault {
        let scalars = Array(text.unicodeScalars)
        let isUnmatched = code == Int32(_REG_EPAREN.rawValue)
        let valid = scalars.indices.reversed().first { count in
            var code: Int32 = 0
            let part = String(String.UnicodeScalarView(scalars[..<count]))
            let ends = isUnmatched ? "" : String(repeating: ")", count: survey(part).openGroups)
            return Compiled.make(part + ends, code: &code) != nil
        }
        var words = [CChar](repeating: 0, count: 128)
        regerror(code, nil, &words, words.count)
        let what = String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Fault(text: "\(what), at character \((valid ?? 0) + 1)")
    }
}

extension Substring.UnicodeScalarView {
    /// Drops the rest of `{2,5}`.
    ///
    /// - Returns: How many copies it may come to; all above `limit` count alike.
    fileprivate mutating func popCount(limit: Int) -> Int {
        let inner = prefix { $0 != "}" }
        removeFirst(Swift.min(count, inner.count + 1))
        let counts = inner.split(separator: ",").compactMap { Int(String($0)) }
        // `a{2,}` is taken for `aaa*`.
        return Swift.max(1, Swift.min(counts.max() ?? 1, limit + 1)) + (inner.last == "," ? 1 : 0)
    }
}
