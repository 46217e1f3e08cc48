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
    /// What its counts, as in `{2,5}`, and its repeats of repeats, as in `(a+)+`, may come to if they are multiplied.
    private static let mostRepeats = 10_000
    /// How many bytes are matched until the states are let go.
    private static let bytesOfStates = 1 << 14

    private let text: String
    private let compiled: Mutex<Compiled?>

    /// - Throws: What is wrong with it, and where.
    init(_ text: some StringProtocol) throws(Fault) {
        self.text = String(text)
        if text.isEmpty { throw Fault(text: "it is empty, and would match everything") }
        if text.utf8.count > Self.limit { throw Fault(text: "it is longer than \(Self.limit) bytes") }
        if let fault = Self.excess(in: self.text) { throw fault }
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

    /// A part with unbounded cost: a back-reference, or nested counts.
    private static func excess(in text: String) -> Fault? {
        var rest = Substring(text).unicodeScalars
        var repeats = 1
        // The last one is a repeat, or a group, which may hold repeats.
        var isRepeat = false
        func fault(_ what: String, back: Int = 0) -> Fault {
            Fault(text: "\(what), at character \(text.unicodeScalars.count - rest.count - back)")
        }
        while let character = rest.popFirst() {
            defer { isRepeat = ")*+?}".unicodeScalars.contains(character) }
            if character == "\\", let next = rest.popFirst(), ("1"..."9").contains(next) {
                return fault("back-references such as \\\(next) have no bounds in time", back: 1)
            }
            // What is not closed is told by regcomp(3).
            if character == "[" { _ = rest.dropBrackets(hasEscapes: false) }
            if character == "{" {
                let inner = rest.prefix { $0 != "}" }
                let counts = inner.split(separator: ",").compactMap { Int(String($0)) }
                repeats *= max(1, min(counts.max() ?? 1, mostRepeats + 1)) + (inner.last == "," ? 1 : 0)
            } else if character == "+" && isRepeat {
                // regcomp(3) takes `a+` for `aa*`, and copies all that is repeated.
                repeats *= 2
            }
            if repeats > mostRepeats { return fault("its repeats come to more than \(mostRepeats)") }
        }
        return nil
    }

    /// How many groups are open at the end.
    private static func openGroups(in text: String) -> Int {
        var rest = Substring(text).unicodeScalars
        var count = 0
        while let character = rest.popFirst() {
            switch character {
            case "\\": _ = rest.popFirst()
            case "[": _ = rest.dropBrackets(hasEscapes: false)
            case "(": count += 1
            case ")": count = max(0, count - 1)
            default: break
            }
        }
        return count
    }

    /// regcomp(3) does not say where; it is behind the longest part that is a regular expression by itself, its groups closed
    /// unless that is what is wrong.
    private static func fault(_ code: Int32, in text: String) -> Fault {
        let scalars = Array(text.unicodeScalars)
        let isUnmatched = code == Int32(_REG_EPAREN.rawValue)
        let valid = scalars.indices.reversed().first { count in
            var code: Int32 = 0
            let part = String(String.UnicodeScalarView(scalars[..<count]))
            let ends = isUnmatched ? "" : String(repeating: ")", count: openGroups(in: part))
            return Compiled.make(part + ends, code: &code) != nil
        }
        var words = [CChar](repeating: 0, count: 128)
        regerror(code, nil, &words, words.count)
        let what = String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Fault(text: "\(what), at character \((valid ?? 0) + 1)")
    }
}
