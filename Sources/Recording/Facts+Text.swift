import Scenes

/// What is recorded of a child of a root window beside its place in the order.
struct ChildFacts: Hashable {
    var place: Rectangle?
    var isMapped = false
    /// The known window that it is or holds.
    var client: UInt32?

    func write(to text: inout LineText, since old: ChildFacts) {
        text.add("place", place, was: old.place)
        text.add("mapped", isMapped, was: old.isMapped)
        text.add("client", client, was: old.client)
    }

    /// - Returns: Whether the key is one of these.
    mutating func read(_ key: String, _ scanner: inout LineScanner) throws(RecordingFault) -> Bool {
        switch key {
        case "place": place = try scanner.optionalRectangle()
        case "mapped": isMapped = try scanner.flag()
        case "client": client = try scanner.optionalXID()
        default: return false
        }
        return true
    }
}

extension Desktop {
    func childFacts(of xid: UInt32) -> ChildFacts? {
        guard let slot = stacking.slot(of: xid) else { return nil }
        let client = stacking[at: slot].client.map { windows.facts[Int($0)] }
        return ChildFacts(
            place: stacking[at: slot].place, isMapped: stacking[at: slot].isMapped,
            client: client.flatMap { $0.isGone ? nil : $0.id.xid })
    }
}

extension WindowFacts {
    private static let mapStates: [MapState] = [.unmapped, .unviewable, .viewable]
    private static let visibilities: [VisibilityState] = [.unobscured, .partiallyObscured, .fullyObscured]
    private static let kinds: [Kind] = [.application, .desktop, .accessory]

    private var mapNumber: Int? { Self.mapStates.firstIndex(of: mapState) }
    private var visibilityNumber: Int? { visibility.flatMap { Self.visibilities.firstIndex(of: $0) } }
    private var kindNumber: Int? { Self.kinds.firstIndex(of: kind) }

    func write(to text: inout LineText, since old: WindowFacts) {
        text.add("place", place, was: old.place)
        text.add("map", mapNumber, was: old.mapNumber)
        text.add("state", state?.rawValue, was: old.state?.rawValue)
        text.add("states", Int(states.rawValue), was: Int(old.states.rawValue))
        text.add("visibility", visibilityNumber, was: old.visibilityNumber)
        text.add("kind", kindNumber, was: old.kindNumber)
        text.add("depth", Int(depth), was: Int(old.depth))
        text.add("desktop", desktop, was: old.desktop)
        text.add("override", isOverrideRedirect, was: old.isOverrideRedirect)
        text.add("inputOnly", isInputOnly, was: old.isInputOnly)
        text.add("withdrew", withdrewItself, was: old.withdrewItself)
        text.add("wasManaged", wasManaged, was: old.wasManaged)
        text.add("top", topLevel, was: old.topLevel)
        text.add("for", transientFor, was: old.transientFor)
        text.add("pid", pid.map { Int($0) }, was: old.pid.map { Int($0) })
    }

    /// - Returns: Whether the key is one of these.
    mutating func read(_ key: String, _ scanner: inout LineScanner) throws(RecordingFault) -> Bool {
        switch key {
        case "place": place = try scanner.optionalRectangle()
        case "map": mapState = Self.mapStates[try scanner.integer(0...2)]
        case "state":
            state = try scanner.optionalXID().map { number throws(RecordingFault) in
                guard let state = ManagedState(rawValue: number) else {
                    throw RecordingFault("\(number) is no WM_STATE")
                }
                return state
            }
        case "states": states = States(rawValue: UInt8(try scanner.integer(0...255)))
        case "visibility":
            visibility = scanner.skipNull() ? nil : Self.visibilities[try scanner.integer(0...2)]
        case "kind": kind = Self.kinds[try scanner.integer(0...2)]
        case "depth": depth = UInt8(try scanner.integer(0...255))
        case "desktop": desktop = try scanner.optionalXID()
        case "override": isOverrideRedirect = try scanner.flag()
        case "inputOnly": isInputOnly = try scanner.flag()
        case "withdrew": withdrewItself = try scanner.flag()
        case "wasManaged": wasManaged = try scanner.flag()
        case "top": topLevel = try scanner.optionalXID()
        case "for": transientFor = try scanner.optionalXID()
        case "pid": pid = scanner.skipNull() ? nil : Int32(try scanner.integer(0...Int(Int32.max)))
        default: return false
        }
        return true
    }
}

extension WindowText {
    func write(to text: inout LineText, since old: WindowText) {
        text.add("instance", instanceName, was: old.instanceName)
        text.add("class", className, was: old.className)
        text.add("program", executable, was: old.executable)
        text.add("title", title, was: old.title)
    }

    /// - Returns: Whether the key is one of these.
    mutating func read(_ key: String, _ scanner: inout LineScanner) throws(RecordingFault) -> Bool {
        switch key {
        case "instance": instanceName = try scanner.optionalText()
        case "class": className = try scanner.optionalText()
        case "program": executable = try scanner.optionalText()
        case "title": title = try scanner.optionalText()
        default: return false
        }
        return true
    }
}

extension Surface {
    func write(to text: inout LineText, since old: Surface) {
        text.add("depth", depth.map { Int($0) }, was: old.depth.map { Int($0) })
        text.add("inputOnly", isInputOnly, was: old.isInputOnly)
        text.add("border", Int(border), was: Int(old.border))
        text.add("shaped", isShaped, was: old.isShaped)
        text.add("shape", shape, was: old.shape)
        text.add("translucent", isTranslucent, was: old.isTranslucent)
        text.add("opaque", opaqueRegion, was: old.opaqueRegion)
        if frame != old.frame { text.add("frame", frame.numbers) }
        if shadow != old.shadow { text.add("shadow", shadow.numbers) }
    }

    /// - Returns: Whether the key is one of these.
    mutating func read(_ key: String, _ scanner: inout LineScanner) throws(RecordingFault) -> Bool {
        switch key {
        case "depth": depth = scanner.skipNull() ? nil : UInt8(try scanner.integer(0...255))
        case "inputOnly": isInputOnly = try scanner.flag()
        case "border": border = Int32(try scanner.integer(0...65_535))
        case "shaped": isShaped = try scanner.flag()
        case "shape": shape = try scanner.optionalRectangles()
        case "translucent": isTranslucent = try scanner.flag()
        case "opaque": opaqueRegion = try scanner.optionalRectangles()
        case "frame": frame = Margins(try scanner.integers(0...65_535, 4...4))
        case "shadow": shadow = Margins(try scanner.integers(0...65_535, 4...4))
        default: return false
        }
        return true
    }
}

extension Surface.Margins {
    var numbers: [Int] { [Int(left), Int(right), Int(top), Int(bottom)] }

    init(_ numbers: [Int]) {
        self.init(
            left: Int32(numbers[0]), right: Int32(numbers[1]), top: Int32(numbers[2]),
            bottom: Int32(numbers[3]))
    }
}
