import Scenes

extension Screen {
    func write(to text: inout LineText, since old: Screen) {
        text.add("root", root, was: old.root)
        text.add("bounds", bounds, was: old.bounds)
        text.add("monitors", monitors, was: old.monitors)
        if manager != old.manager { writeManager(to: &text) }
        text.add("selection", selectionOwner, was: old.selectionOwner)
        text.add("rewritten", wasRewritten, was: old.wasRewritten)
        if let clients, clients != old.clients {
            text.add("clients", ListEdit.numbers(from: old.clients?.order ?? [], to: clients.order))
        } else if clients == nil && old.clients != nil {
            text.add("clients", Int?.none)
        }
        if stacking != old.stacking {
            text.add("stacking", ListEdit.numbers(from: old.stacking, to: stacking))
        }
        text.add("active", activeWindow, was: old.activeWindow)
        text.add("desktop", currentDesktop, was: old.currentDesktop)
        text.add("showing", isShowingDesktop, was: old.isShowingDesktop)
        text.add("composited", isComposited, was: old.isComposited)
        text.add("ownCompositor", isOwnCompositor, was: old.isOwnCompositor)
    }

    private func writeManager(to text: inout LineText) {
        guard let manager else { return text.add("manager", Int?.none) }
        text.object("manager") { text in
            text.add("check", manager.checkWindow.map { Int($0) })
            text.add("name", manager.name)
        }
    }

    /// - Returns: Whether the key is one of these.
    mutating func read(_ key: String, _ scanner: inout LineScanner) throws(RecordingFault) -> Bool {
        switch key {
        case "root": root = try scanner.xid()
        case "bounds": bounds = try scanner.rectangle()
        case "monitors": monitors = try scanner.optionalRectangles()
        case "manager": manager = scanner.skipNull() ? nil : try Manager(&scanner)
        case "selection": selectionOwner = try scanner.xid()
        case "rewritten": wasRewritten = try scanner.flag()
        case "clients":
            if scanner.skipNull() {
                clients = nil
            } else {
                var list = clients?.order ?? []
                try ListEdit.apply(scanner.listEdit(), to: &list)
                clients = WindowList(list)
            }
        case "stacking": try ListEdit.apply(scanner.listEdit(), to: &stacking)
        case "active": activeWindow = try scanner.optionalXID()
        case "desktop": currentDesktop = try scanner.optionalXID()
        case "showing": isShowingDesktop = try scanner.flag()
        case "composited": isComposited = try scanner.flag()
        case "ownCompositor": isOwnCompositor = try scanner.flag()
        default: return false
        }
        return true
    }
}

extension Screen.Manager {
    init(_ scanner: inout LineScanner) throws(RecordingFault) {
        self.init()
        try scanner.object { scanner, key throws(RecordingFault) in
            switch key {
            case "check": checkWindow = try scanner.optionalXID()
            case "name": name = try scanner.optionalText()
            default: try scanner.skipValue()
            }
        }
    }
}

extension LineScanner {
    /// No display has more windows.
    fileprivate mutating func listEdit() throws(RecordingFault) -> [Int] {
        try integers(-2...0xFFFF_FFFF, 2...1_000_000)
    }
}

extension Session {
    private static let displayOffs: [DisplayOff] = [.blanked, .poweredDown, .noMonitor]

    private var displayOffNumber: Int? { displayOff.flatMap { Self.displayOffs.firstIndex(of: $0) } }

    func write(to text: inout LineText, since old: Session) {
        text.add("away", isAway, was: old.isAway)
        text.add("displayOff", displayOffNumber, was: old.displayOffNumber)
        if isKeyboardGrabbed != old.isKeyboardGrabbed {
            text.add("grabbed", isKeyboardGrabbed.map { $0 ? 1 : 0 })
        }
        text.add("saver", saver.map { Int($0.since) }, was: old.saver.map { Int($0.since) })
        text.add("idle", isIdle, was: old.isIdle)
    }

    init(_ scanner: inout LineScanner, since old: Session) throws(RecordingFault) {
        self = old
        try scanner.object { scanner, key throws(RecordingFault) in
            switch key {
            case "away": isAway = try scanner.flag()
            case "displayOff":
                displayOff = scanner.skipNull() ? nil : Self.displayOffs[try scanner.integer(0...2)]
            case "grabbed": isKeyboardGrabbed = scanner.skipNull() ? nil : try scanner.integer(0...1) == 1
            case "saver":
                saver =
                    scanner.skipNull()
                    ? nil
                    : SaverStatus(since: Int32(try scanner.integer(Int(Int32.min)...Int(Int32.max))))
            case "idle": isIdle = try scanner.flag()
            default: try scanner.skipValue()
            }
        }
    }
}

/// As numbers: which case, then what belongs to it.
extension Desktop.InputFocus {
    var numbers: [Int] {
        switch self {
        case .none: [0]
        case .window(let window): [1, Int(window)]
        case .elsewhere(let screen): [2, screen]
        case .underPointer(let screen, let window): [3, screen] + (window.map { [Int($0)] } ?? [])
        }
    }

    init(_ numbers: [Int], screenCount: Int) throws(RecordingFault) {
        let screen = numbers.count > 1 ? numbers[1] : 0
        switch (numbers[0], numbers.count) {
        case (0, 1): self = .none
        case (1, 2): self = .window(UInt32(numbers[1]))
        case (2, 2) where screen < screenCount: self = .elsewhere(screen: screen)
        case (3, 2...3) where screen < screenCount:
            self = .underPointer(screen: screen, window: numbers.count == 3 ? UInt32(numbers[2]) : nil)
        default: throw RecordingFault("the focus is nowhere")
        }
    }
}
