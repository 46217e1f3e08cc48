import Scenes

extension Explanation {
    /// The windows that together hide another window completely.
    package struct Cover: Sendable {
        /// The area of the hidden window on the monitors, in pixels.
        package let pixels: Int
        /// The windows that cover a part of this area, topmost first.
        package let windows: [WindowID]

        let sentence: String
    }
}

extension Explanation.Cover {
    /// The maximum number of windows that a sentence names: a thousand small windows may cover one.
    static let mostNamed = 4

    init(_ cover: (area: Int, windows: [SeenWindow])) {
        pixels = cover.area
        windows = cover.windows.map(\.id)
        var names = cover.windows.prefix(Self.mostNamed).map { window in
            let name = window.className ?? window.instanceName ?? window.executable
            return window.id.description + (name.map { " \($0)" } ?? "")
        }
        let others = cover.windows.count - names.count
        if others > 0 { names.append(others == 1 ? "another one" : "\(others) others") }
        let last = names.popLast() ?? "nothing"
        let list = names.isEmpty ? last : names.joined(separator: ", ") + " and " + last
        sentence = "covered: all of its \(pixels.grouped) px are hidden by \(list)"
    }
}

extension Int {
    /// The decimal digits in groups of three, separated by commas.
    fileprivate var grouped: String {
        var text = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0 && index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
