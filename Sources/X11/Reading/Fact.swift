import CXPipeline

/// A fact that the server is asked for: the request, and what is done with the reply.
final class Fact: Sendable {
    typealias Request = @Sendable (DesktopObserver, Read) -> UInt32
    typealias Absorb = @Sendable (DesktopObserver, Reply, Read) -> Void

    /// Puts the request into the buffer, and returns its number.
    let request: Request
    let absorb: Absorb

    init(_ request: @escaping Request, absorb: @escaping Absorb) {
        (self.request, self.absorb) = (request, absorb)
    }

    /// - Parameter request: Names nothing but a window, or a selection.
    convenience init(
        by request: @escaping @Sendable (OpaquePointer?, UInt32) -> UInt32, absorb: @escaping Absorb
    ) {
        self.init({ request($0.display.connection, $1.window) }, absorb: absorb)
    }

    /// - Parameter words: How much of the property is read at most, in units of 32 bits.
    convenience init(property: AtomName, _ words: UInt32, absorb: @escaping Absorb) {
        self.init(
            { cxp_get_property($0.display.connection, $1.window, $0.atoms[property], words) },
            absorb: absorb)
    }
}

/// One fact that is asked for.
struct Read {
    let fact: Fact
    /// How deep in the tree a found window is: 1 for a child of the root window.
    var depth: UInt8 = 0
    /// The slot of the window, or the number of the screen.
    var place: Int32 = 0
    /// The generation of the window in the slot.
    var generation: UInt32 = 0
    /// The window that is asked about, or the selection.
    var window: UInt32 = 0
    var request: UInt32 = 0

    var slot: Int { Int(place) }
    var screen: Int { Int(place) }
}

/// A row of a table: the facts that become stale together, by which property, and one that is read then.
struct FactRow<Group: OptionSet & Sendable>: Sendable {
    /// Whom to ask in place of the window that the others of the table ask; nil where there is nothing to ask.
    typealias Subject = @Sendable (DesktopObserver, Read) -> UInt32?

    let group: Group
    /// The property whose change makes them stale; nil where other events do.
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
    /// What a change of a property makes stale.
    func group<Group>(of property: AtomName?) -> Group? where Element == FactRow<Group> {
        guard let property else { return nil }
        for index in indices where self[index].property == property { return self[index].group }
        return nil
    }
}

extension ReadPass {
    /// Adds the reads of those rows of a table that are stale.
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
