/// The keys of `xphase top`, by their meaning.
enum TopKey: Equatable {
    case quit, up, down, pageUp, pageDown, home, end, sort, filter, help
    case freeze, thaw, pause, explain, why
    /// A click on a line of the screen, counted from 1.
    case click(Int)
    case text(String)
    case erase, enter, escape

    /// Returns the keys in the bytes that a terminal sent at once. Unknown sequences are skipped as a whole.
    ///
    /// - Parameter isTyping: Whether letters are text instead of commands, until Enter or Escape.
    static func keys(in bytes: [UInt8], isTyping: Bool) -> [TopKey] {
        var keys: [TopKey] = []
        var rest = bytes[...]
        var text: [UInt8] = []
        var isTyping = isTyping
        while let byte = rest.popFirst() {
            switch byte {
            case 0x1B where rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O"):
                rest.removeFirst()
                let parameters = rest.prefix { (0x20...0x3F).contains($0) }
                rest = rest.dropFirst(parameters.count)
                if let final = rest.popFirst(), let key = key(Array(parameters), final) { keys.append(key) }
            case 0x1B, 0x0A, 0x0D:
                keys.append(byte == 0x1B ? .escape : .enter)
                isTyping = false
            case 0x08, 0x7F: keys.append(.erase)
            case 0..<0x20: break
            case _ where isTyping: text.append(byte)
            default:
                if let key = command(byte) { keys.append(key) }
                isTyping = keys.last == .filter
            }
            if let next = rest.first, next >= 0x20, next != 0x7F, isTyping { continue }
            if !text.isEmpty { keys.append(.text(String(decoding: text, as: UTF8.self))) }
            text = []
        }
        return keys
    }

    private static func key(_ parameters: [UInt8], _ final: UInt8) -> TopKey? {
        switch final {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        // A mouse button: `<0;column;line`; 64 and 65 are the wheel.
        case UInt8(ascii: "M"):
            let numbers = parameters.dropFirst().split(separator: UInt8(ascii: ";")).compactMap {
                Int(String(decoding: $0, as: UTF8.self))
            }
            guard parameters.first == UInt8(ascii: "<"), numbers.count == 3 else { return nil }
            return [0: .click(numbers[2]), 64: .up, 65: .down][numbers[0]]
        case UInt8(ascii: "~"):
            switch parameters {
            case [0x35]: return .pageUp
            case [0x36]: return .pageDown
            case [0x31]: return .home
            case [0x34]: return .end
            default: return nil
            }
        default: return nil
        }
    }

    private static func command(_ byte: UInt8) -> TopKey? {
        switch byte {
        case UInt8(ascii: "q"): .quit
        case UInt8(ascii: "k"): .up
        case UInt8(ascii: "j"): .down
        case UInt8(ascii: "s"): .sort
        case UInt8(ascii: "/"): .filter
        case UInt8(ascii: "?"): .help
        case UInt8(ascii: "f"): .freeze
        case UInt8(ascii: "t"): .thaw
        case UInt8(ascii: "p"): .pause
        case UInt8(ascii: "e"): .explain
        case UInt8(ascii: "w"): .why
        default: nil
        }
    }
}
