/// The values as the table in Tests/ManagerTests/README.md.
extension Manager {
    static var table: String {
        let head = ["window manager"] + columns.map(\.title) + ["told otherwise"]
        return ([head, head.map { _ in "---" }] + everyOne.map(\.row))
            .map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    /// Each for those that can do one of its wishes.
    private static let columns: [(title: String, wishes: [Wish])] = [
        ("iconify", [.iconify]), ("start iconic", [.startIconic]), ("desktops", [.leaveDesktop]),
        ("move to desktop", [.moveAway]), ("sticky", [.stick]), ("show desktop", [.showDesktop]),
        ("shade", [.shade]), ("fullscreen", [.fullscreen]), ("tabs", [.tab]), ("monocle", [.monocle]),
        ("a desktop for each monitor", [.splitMonitors, .moveToMonitor]),
        ("iconified after a restart", [.keepIconified]),
    ]

    private var row: [String] {
        let cells = Self.columns.map { $0.wishes.contains { can($0) } ? "yes" : "–" }
        return [name] + cells + [otherwise.joined(separator: "; ")]
    }

    /// What users would expect to be told in another way.
    private var otherwise: [String] {
        var texts: [String] = []
        if !hidesCovered.isEmpty {
            texts.append("in the background when behind " + Self.list(Array(hidesCovered)))
        }
        texts += causes.keys.sorted { $0.rawValue < $1.rawValue }
            .map { "\($0.rawValue): `\(causes[$0] ?? "")`" }
        if showsOneWindow { texts.append("every window but the one in use is iconified") }
        if isSlow { texts.append("inactive for some tenths of a second while it is iconified or opened") }
        if !can(.tellDeath) { texts.append("its death is noticed only when something happens next") }
        return texts
    }

    /// The names in the order of the declaration.
    private static func list(_ wishes: [Wish]) -> String {
        Wish.allCases.filter(wishes.contains).map(\.rawValue).joined(separator: ", ")
    }
}
