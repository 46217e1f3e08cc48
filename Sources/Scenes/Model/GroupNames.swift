/// The number of a pair of names, application and group, in a `GroupNames`.
package struct GroupName: Hashable, Sendable {
    package let index: Int32

    /// The pair of a window whose names have not been read.
    package static let unknown = GroupName(index: 0)
}

/// The names of applications and groups. Each pair has a number. Names are interned when WM_CLASS is read; later stages
/// neither compare nor hash strings.
///
/// A number stays valid until `reclaim`, even if no window has these names any longer.
package struct GroupNames: Sendable {
    private struct Pair: Hashable {
        let application: String
        let group: String
    }

    private struct Entry {
        var pair: Pair
        /// The pair that represents the application.
        var applicationName: GroupName
    }

    private var entries: [Entry] = []
    private var numbers: [Pair: GroupName] = [:]
    private var free: [GroupName] = []
    /// The number of pairs after the last `reclaim`.
    private var keptCount = 0

    init() {
        _ = intern(application: "unknown", group: "unknown")
    }

    package func application(of name: GroupName) -> String { entries[Int(name.index)].pair.application }
    package func group(of name: GroupName) -> String { entries[Int(name.index)].pair.group }

    /// The number that all groups of one application share.
    package func applicationName(of name: GroupName) -> GroupName { entries[Int(name.index)].applicationName }

    mutating func intern(application: String, group: String) -> GroupName {
        let pair = Pair(application: application, group: group)
        if let known = numbers[pair] { return known }
        // The pair (application, application) represents the application.
        let applicationName =
            group == application ? nil : intern(application: application, group: application)
        let name = free.popLast() ?? GroupName(index: Int32(entries.count))
        let entry = Entry(pair: pair, applicationName: applicationName ?? name)
        if Int(name.index) == entries.count {
            entries.append(entry)
        } else {
            entries[Int(name.index)] = entry
        }
        numbers[pair] = name
        return name
    }

    /// Whether enough names have been added since the last `reclaim` to run it again. Clients can add any number of
    /// names.
    package var isOvergrown: Bool { numbers.count > 2 * keptCount + 256 }

    /// Removes all pairs except the used ones.
    mutating func reclaim(keeping used: some Sequence<GroupName>) {
        var isKept = [Bool](repeating: false, count: entries.count)
        isKept[0] = true
        for name in used {
            isKept[Int(name.index)] = true
            isKept[Int(applicationName(of: name).index)] = true
        }
        for (pair, name) in numbers where !isKept[Int(name.index)] {
            numbers[pair] = nil
            entries[Int(name.index)].pair = Pair(application: "", group: "")
            free.append(name)
        }
        keptCount = numbers.count
    }
}
