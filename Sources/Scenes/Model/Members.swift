extension Change.Members {
    /// Adds up the facts of scenes.
    package init(of scenes: [Change.SceneFacts], phases: [ScenePhase], groups: [String]) {
        func count(_ phase: ScenePhase) -> Int { phases.count { $0 == phase } }
        self.init(
            counts: .init(
                active: count(.active), inactive: count(.inactive), background: count(.background)),
            pids: scenes.compactMap(\.pid).ascending, groups: groups.ascending,
            desktops: scenes.compactMap(\.desktop).ascending,
            processes: scenes.compactMap(\.process).ascending)
    }
}

extension Array where Element: Comparable {
    /// The distinct elements, ascending.
    fileprivate var ascending: [Element] {
        if count < 2 { return self }
        return sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}
