import Glibc
import Synchronization

/// A POSIX extended regular expression of the C library, compiled once.
///
/// The texts come from windows, so matching is bounded in time and memory: back-references, for which glibc takes
/// exponential time, are refused, as are many `Repetitions`, and the states that it keeps for every path through the texts
/// are released after `bytesOfStates` bytes.
final class RegularExpression: Sendable {
    /// The reason why a text is not a regular expression.
    struct Fault: Error {
        let text: String
    }

    private struct Compiled: ~Copyable {
        var expression = regex_t()
        /// The result of regcomp(3).
        let code: Int32
        /// The number of bytes matched so far.
        var used = 0

        init(_ text: String) {
            var expression = expression
            code = Locale.inUTF8 { regcomp(&expression, text, REG_EXTENDED | REG_ICASE | REG_NOSUB) }
            self.expression = expression
        }

        deinit {
            var expression = expression
            if code == 0 { regfree(&expression) }
        }
    }

    /// The maximum length in characters.
    private static let limit = 200
    /// The number of bytes to match before the states are released.
    private static let bytesOfStates = 1 << 14

    private let text: String
    private let compiled: Mutex<Compiled>

    init(_ text: some StringProtocol) throws(Fault) {
        self.text = String(text)
        if text.isEmpty { throw Fault(text: "it is empty, and would match everything") }
        if text.count > Self.limit { throw Fault(text: "it is longer than \(Self.limit) characters") }
        var rest = Substring(text).unicodeScalars
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.popFirst(), ("1"..."9").contains(next) {
                throw Fault(text: "back-references such as \\\(next) are not supported")
            }
        }
        if let fault = Repetitions.fault(in: self.text) { throw Fault(text: fault) }
        let first = Compiled(self.text)
        if first.code != 0 {
            var words = [CChar](repeating: 0, count: 128)
            regerror(first.code, nil, &words, words.count)
            throw Fault(
                text: String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        compiled = Mutex(first)
    }

    /// Returns whether some part of a text matches.
    func matches(_ text: String) -> Bool {
        compiled.withLock { compiled in
            if compiled.used + text.utf8.count > Self.bytesOfStates { compiled = Compiled(self.text) }
            compiled.used += text.utf8.count
            return compiled.code == 0
                && Locale.inUTF8 { regexec(&compiled.expression, text, 0, nil, 0) == 0 }
        }
    }
}

/// A UTF-8 locale for the functions of the C library that compare text.
enum Locale {
    /// Created once and never changed. Without such a locale on the system, only ASCII letters are case-folded.
    private nonisolated(unsafe) static let utf8 = newlocale(characters, "C.UTF-8", nil)

    /// LC_CTYPE_MASK of glibc's locale.h, a macro that Swift does not import.
    private static let characters: Int32 = 1 << LC_CTYPE

    static func inUTF8<Result>(_ body: () -> Result) -> Result {
        guard let utf8 else { return body() }
        let old = uselocale(utf8)
        defer { uselocale(old) }
        return body()
    }
}
