/// The managers as the table in Tests/ManagerTests/README.md.
extension Manager {
    static var table: String {
        let head = ["window manager"] + columns.map(\.title) + ["reported otherwise"]
        return ([head, head.map { _ in "---" }] + all.map(\.row))
            .map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    /// A manager has `yes` in a column if it can do one of the column's requests.
    private static let columns: [(title: String, requests: [Request])] = [
        ("iconify", [.iconify]), ("start iconic", [.startIconic]), ("desktops", [.leaveDesktop]),
        ("move to desktop", [.moveAway]), ("sticky", [.stick]), ("show desktop", [.showDesktop]),
        ("shade", [.shade]), ("fullscreen", [.fullscreen]), ("tabs", [.tab]), ("monocle", [.monocle]),
        ("a desktop for each monitor", [.splitMonitors, .moveToMonitor]),
        ("iconified after a restart", [.keepIconified]),
    ]

    private var row: [String] {
        let cells = Self.columns.map { $0.requests.contains { can($0) } ? "yes" : "–" }
        return [name] + cells + [otherwise.joined(separator: "; ")]
    }

    /// The cases in which xphase reports something other than users would expect.
    private var otherwise: [String] {
        var texts: [String] = []
        if !hidesCovered.isEmpty {
            texts.append("in the background when behind " + Self.list(Array(hidesCovered)))
        }
        texts += causes.keys.sorted { $0.rawValue < $1.rawValue }
            .map { "\($0.rawValue): `\(causes[$0] ?? "")`" }
        if showsOneWindow { texts.append("every window but the one in use is iconified") }
        if isSlow { texts.append("inactive for some tenths of a second while it is iconified or opened") }
        if !can(.reportDeath) { texts.append("its death is noticed only with the next event") }
        return texts
    }

    /// Lists requests in the order of their declaration.
    private static func list(_ requests: [Request]) -> String {
        Request.allCases.filter(requests.contains).map(\.rawValue).joined(separator: ", ")
    }
}
