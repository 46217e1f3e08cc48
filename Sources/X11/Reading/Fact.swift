import CXPipeline

/// A fact to read from the server: the request, and the handler of the reply.
final class Fact: Sendable {
    typealias Request = @Sendable (DesktopObserver, Read) -> UInt32
    typealias Absorb = @Sendable (DesktopObserver, Reply, Read) -> Void

    /// Buffers the request and returns its sequence number.
    let request: Request
    let absorb: Absorb

    init(_ request: @escaping Request, absorb: @escaping Absorb) {
        (self.request, self.absorb) = (request, absorb)
    }

    /// - Parameter request: A request whose only field is an ID, such as a window or a selection.
    convenience init(
        by request: @escaping @Sendable (OpaquePointer?, UInt32) -> UInt32, absorb: @escaping Absorb
    ) {
        self.init({ request($0.display.connection, $1.window) }, absorb: absorb)
    }

    /// - Parameter words: The maximum length to read, in units of 32 bits.
    convenience init(property: AtomName, _ words: UInt32, absorb: @escaping Absorb) {
        self.init(
            { cxp_get_property($0.display.connection, $1.window, $0.atoms[property], words) },
            absorb: absorb)
    }
}

/// A request for one fact.
struct Read {
    let fact: Fact
    /// The depth of a found window in the tree: 1 for a child of the root window.
    var depth: UInt8 = 0
    /// The slot of the window, or the number of the screen.
    var place: Int32 = 0
    /// The generation of the window in the slot.
    var generation: UInt32 = 0
    /// The window, selection, counter or atom that the request names.
    var window: UInt32 = 0
    var request: UInt32 = 0

    var slot: Int { Int(place) }
    var screen: Int { Int(place) }
}

/// A row of a table: a fact, the group of facts that become stale together with it, and the property that makes them
/// stale.
struct FactRow<Group: OptionSet & Sendable>: Sendable {
    /// The ID to ask about instead of the window that the table is read for; nil if there is nothing to ask.
    typealias Subject = @Sendable (DesktopObserver, Read) -> UInt32?

    let group: Group
    /// The property whose change makes the group stale; nil if other events do.
    let property: AtomName?
    let subject: Subject?
    let fact: Fact

    init(_ group: Group, of subject: Subject? = nil, _ fact: Fact) {
        (self.group, property, self.subject, self.fact) = (group, nil, subject, fact)
    }

    init(
        _ group: Group, of subject: Subject? = nil,
        by request: @escaping @Sendable (OpaquePointer?, UInt32) -> UInt32, absorb: @escaping Fact.Absorb
    ) {
        self.init(group, of: subject, Fact(by: request, absorb: absorb))
    }

    init(
        _ group: Group, of subject: Subject? = nil, _ request: @escaping Fact.Request,
        absorb: @escaping Fact.Absorb
    ) {
        self.init(group, of: subject, Fact(request, absorb: absorb))
    }

    init(_ group: Group, _ property: AtomName, _ words: UInt32, absorb: @escaping Fact.Absorb) {
        (self.group, self.property, subject) = (group, property, nil)
        fact = Fact(property: property, words, absorb: absorb)
    }
}

extension Array {
    /// Returns the group that a change of a property makes stale; nil if there is none.
    func group<Group>(of property: AtomName?) -> Group? where Element == FactRow<Group> {
        guard let property else { return nil }
        for index in indices where self[index].property == property { return self[index].group }
        return nil
    }
}

extension ReadPass {
    /// Adds the reads of the stale rows of a table.
    mutating func add<Group>(
        _ stale: Group, of table: [FactRow<Group>], for observer: DesktopObserver, place: Int = 0,
        generation: UInt32 = 0, window: UInt32
    ) {
        for row in table where !row.group.isDisjoint(with: stale) {
            var read = Read(fact: row.fact, place: Int32(place), generation: generation, window: window)
            if let subject = row.subject {
                guard let window = subject(observer, read) else { continue }
                read.window = window
            }
            add(read)
        }
    }
}
