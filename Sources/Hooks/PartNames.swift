import Console
import PhaseWatch

/// Names of only a part of an application: instance names, such as that of a web application in a browser. What is about
/// an application is about all of its parts.
extension [Pattern] {
    /// Returns the pattern that matches only instance names in a change; nil if one matches the class name.
    package func ofPart(of change: Change) -> Pattern? {
        contains { $0.matches(change.application) } ? nil : first { $0.matches(change) }
    }

    /// Returns why the names do not permit to freeze a visible application: they match only a part of it, and another
    /// part is visible. Returns nil if they permit it.
    public func visibleRest(of application: String, among present: [Change]) -> String? {
        let own = present.filter { $0.application == application }
        guard let part = own.first(where: { $0.level == .application }).flatMap(ofPart) else { return nil }
        let rest = own.first { change in
            change.level == .group && change.to ?? .background > .background
                && !contains { $0.matches(change) }
        }
        return rest.map {
            "\(part.text.quoted) is only a part of it, and its part \(($0.group ?? "").quoted) is visible: "
                + "the name \(application.quoted) freezes all of it"
        }
    }
}

extension Hook {
    /// Returns hints about names of only a part of an application, all of which the hook follows.
    ///
    /// - Parameter present: What is on the display; empty if it is unknown.
    public func partHints(among present: [Change]) -> [String] {
        guard condition.changes == .application else { return [] }
        let found = present.filter { $0.level == .application && condition.concerns($0) }
        let names = condition.criteria.application
        let parts = found.compactMap { change in
            names.ofPart(of: change).flatMap { change.isMore(than: $0) ? ($0, change.application) : nil }
        }
        let web = names.filter { name in
            name.isOfWebApplication && !parts.contains { $0.0 == name }
                && !found.contains { name.matches($0.application) }
        }
        return parts.map { hint($0, of: $1) } + web.map { hint($0, of: nil) } + found.compactMap(instanceHint)
    }

    /// - Parameter application: nil for an unknown browser.
    private func hint(_ part: Pattern, of application: String?) -> String {
        let name = part.text.escapedForTerminal
        let whole = application?.escapedForTerminal ?? "its browser"
        let owner = application == nil ? "a web application" : whole
        let start = "\(part.text.quoted) is only an instance name of \(owner)"
        if builtIns.isEmpty {
            return start + ", and this follows all of \(whole): "
                + "a hook with instance = \"\(name)\" and level = \"group\" follows this part alone"
        }
        let meant = application.map { _ in "application = \"\(whole)\"" } ?? "the name of the browser"
        return start + ", and reactions apply to all of \(whole): write \(meant) if this is meant"
    }

    private func instanceHint(_ change: Change) -> String? {
        let instances = condition.criteria.instance
        let rest = change.members?.groups.first { group in !instances.contains { $0.matches(group) } }
        guard !instances.isEmpty, let rest else { return nil }
        return "instance alone follows all of \(change.application.escapedForTerminal), \(rest.quoted), too: "
            + "add level = \"group\""
    }
}

extension Pattern {
    /// Whether the pattern matches only web applications, in Chromium and its relatives.
    fileprivate var isOfWebApplication: Bool { text.hasPrefix("crx_") }
}

extension Change {
    /// Returns whether an application has other parts than those that a pattern matches, or may have some: an instance
    /// name that resembles the class name is that of the whole program.
    fileprivate func isMore(than part: Pattern) -> Bool {
        let whole = application.plain
        return members?.groups.contains { group in
            let name = group.plain
            return !part.matches(group) || !(whole.contains(name) || name.contains(whole))
        } ?? false
    }
}

extension String {
    /// The letters and digits, without case.
    fileprivate var plain: String { lowercased().filter { $0.isLetter || $0.isNumber } }
}
