/// The name of a display, a title, an application, or a group of an application.
struct Name: Hashable {
    var text: String
    /// The group of an application.
    var group: String?

    init(_ text: String, group: String? = nil) { (self.text, self.group) = (text, group) }
}

/// A table of names, numbered in the order of their first use.
///
/// Names come from windows. If there are too many of them, further names share the number of `others`.
struct Names {
    private static let others = Name("(others)")
    private static let mostNames = 20_000
    private static let mostBytes = 4 << 20

    private var names: [Name] = []
    private var numbers: [Name: Int] = [:]
    private var byteCount = 0

    subscript(number: Int) -> Name { names[number] }

    mutating func number(of name: Name) -> Int {
        if let number = numbers[name] { return number }
        let isFull = names.count >= Self.mostNames || byteCount > Self.mostBytes
        if isFull && name != Self.others { return number(of: Self.others) }
        numbers[name] = names.count
        names.append(name)
        byteCount += name.text.utf8.count + (name.group?.utf8.count ?? 0)
        return names.count - 1
    }
}
