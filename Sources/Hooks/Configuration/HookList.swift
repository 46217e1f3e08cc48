import TOMLKit

/// The hooks of a configuration, as they are read one after the other.
struct HookList {
    /// Whether the text has an escape for NUL.
    let mayHoldNUL: Bool
    private(set) var hooks: [Hook] = []
    /// Each behind its place: `hook[2] 'slow down': after: …`.
    private(set) var faults: [String] = []
    private var count = 0
    /// Where each name was first.
    private var places: [String: Int] = [:]

    init(mayHoldNUL: Bool) {
        self.mayHoldNUL = mayHoldNUL
    }

    mutating func read(_ item: any TOMLValueConvertible) {
        count += 1
        guard let table = item.table else {
            faults.append("hook[\(count)]: found \(item.type.withArticle): write a table")
            return
        }
        var reader = TableReader(table, mayHoldNUL: mayHoldNUL)
        let name = table["name"]?.string
        if let hook = Hook(&reader) { hooks.append(hook) }
        if let name { refuseTwice(name, &reader) }
        let place = "hook[\(count)]" + (name.map { " \($0.quoted)" } ?? "")
        faults += reader.faults.map { "\(place): \($0)" }
    }

    private mutating func refuseTwice(_ name: String, _ reader: inout TableReader) {
        if let place = places[name] {
            reader.fault("name", "hook[\(place)] has it already")
        } else {
            places[name] = count
        }
    }
}
