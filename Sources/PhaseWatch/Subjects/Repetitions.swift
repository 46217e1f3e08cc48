/// The copies of the characters of a POSIX extended regular expression that regcomp(3) makes for its repetitions.
///
/// For `(ab){3}` and `a+`, regcomp(3) compiles `ababab` and `aa*`. Nested repetitions therefore multiply the memory, and each
/// copy that may be left out, as in `a{0,9}`, multiplies the time of regexec(3). Neither function has a limit of its own.
struct Repetitions {
    /// What a character, a bracket expression or a group is compiled to.
    private struct Part {
        var copies = 0
        /// The number of copies that may be left out.
        var optional = 0
        /// Whether it has a bound, such as `{2,3}`.
        var isBounded = false

        static let character = Part(copies: 1)

        mutating func add(_ other: Part) {
            copies += other.copies
            optional += other.optional
            isBounded = isBounded || other.isBounded
        }
    }

    private struct Group {
        var earlier = Part()
        /// What the next repetition applies to.
        var last = Part()

        mutating func append(_ part: Part) {
            earlier.add(last)
            last = part
        }

        /// The group as a part of another one. An empty group is copied, too.
        var part: Part {
            var part = earlier
            part.add(last)
            part.copies = max(1, part.copies)
            return part
        }
    }

    private static let mostCopies = 1000
    /// The bound that POSIX promises for every system. With it, a match in a text of 1 KiB takes half a second.
    private static let mostOptional = 255

    /// The open groups; the first is the whole expression.
    private var groups = [Group()]

    private init() {}

    /// Returns why an expression would take too much memory or time; nil if it does not. Its syntax is not checked.
    static func fault(in text: String) -> String? {
        var repetitions = Self()
        var rest = Substring(text).unicodeScalars
        while let character = rest.popFirst() {
            if let fault = repetitions.add(character, &rest) { return fault }
        }
        return nil
    }

    /// - Parameter rest: What follows the character.
    private mutating func add(
        _ character: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView
    ) -> String? {
        switch character {
        case "(": groups.append(Group())
        case ")" where groups.count > 1:
            let part = groups.removeLast().part
            append(part)
        case "|": append(Part())
        case "?": multiply(from: 0, to: 1)
        case "+": multiply(from: 1, to: nil)
        case "*": break
        case "{":
            guard let bound = rest.takeBound() else { break }
            if last.isBounded { return "it has a bound such as {2} within another bound" }
            multiply(from: bound.least, to: bound.most)
            last.isBounded = true
        default:
            if character == "\\" { _ = rest.popFirst() }
            if character == "[" { _ = rest.dropBrackets(hasEscapes: false) }
            append(.character)
        }
        let whole = groups.reduce(into: Part()) { $0.add($1.part) }
        if whole.copies > Self.mostCopies { return "it repeats to more than \(Self.mostCopies) characters" }
        if whole.optional > Self.mostOptional {
            return "more than \(Self.mostOptional) of its repetitions are optional"
        }
        return nil
    }

    private var last: Part {
        get { groups[groups.endIndex - 1].last }
        set { groups[groups.endIndex - 1].last = newValue }
    }

    private mutating func append(_ part: Part) { groups[groups.endIndex - 1].append(part) }

    /// - Parameter most: nil for any number, which takes one copy more than the least.
    private mutating func multiply(from least: Int, to most: Int?) {
        let copies = max(1, most ?? least + 1)
        let optional = most.map { max(0, $0 - least) * last.copies } ?? 0
        last.optional = last.optional * copies + optional
        last.copies *= copies
    }
}

extension Substring.UnicodeScalarView {
    /// Removes and returns the rest of a bound such as `{2,3}`; nil for anything else, which regcomp(3) refuses.
    fileprivate mutating func takeBound() -> (least: Int, most: Int?)? {
        var rest = self
        let least = rest.takeNumber()
        var most = least
        if rest.first == "," {
            rest.removeFirst()
            most = rest.takeNumber()
        } else if least == nil {
            return nil
        }
        guard rest.popFirst() == "}" else { return nil }
        self = rest
        return (least ?? 0, most)
    }

    private mutating func takeNumber() -> Int? {
        let digits = prefix { ("0"..."9").contains($0) }
        self = dropFirst(digits.count)
        // Also of a number that is too large for regcomp(3) and for Int.
        return digits.isEmpty ? nil : Swift.min(Int(String(digits)) ?? .max, 1 << 15)
    }
}
