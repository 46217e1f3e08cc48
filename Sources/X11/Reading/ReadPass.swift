import CXPipeline

/// What one request asks for, which says where its answer belongs.
enum Fact: UInt8 {
    // Of a window in a slot. The parent may be that of a window around it, the frame is the child of the root window.
    case attributes, geometry, position, frame, parent
    case state, states, desktop, kind, transientFor, classes, title, netTitle, pid, machine, client
    // Of a screen.
    case bounds, monitors, check, clients, stacking, activeWindow, currentDesktop, showingDesktop,
        checkOfCheck,
        checkName, terminal, saverStatus
    case compositor, selectionOwner, manager, topLevels
    // Of a window that was found on a screen and may be a client.
    case foundAttributes, foundState, foundChildren, foundGeometry
    // Of the session: the saver of a screen, what DPMS says, what SYNC wants first, its counters, the idle time, whether
    // somebody has grabbed the keyboard.
    case saver, power, syncVersion, counters, idle, keyboard
    // Of a window that may cover others, or be covered.
    case surfaceAttributes, surfaceGeometry, surfaceIsShaped, surfaceShape, opacity, opaqueRegion,
        frameExtents, shadowExtents
    // Of the display: the focus, the parent of a window with the focus in it, the child of a screen's root window
    // under the pointer.
    case focus, focusParent, pointer
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
    /// The window that is asked about.
    var window: UInt32 = 0
    fileprivate(set) var request: UInt32 = 0
}

/// Reads that are sent together, and answered in their order.
struct ReadPass {
    /// That many requests fit into a socket, so that sending them never waits.
    private static let mostOnTheWay = 4096

    private var reads: [Read] = []
    private var sent = 0
    private var answered = 0

    /// Whether every answer was taken.
    var isDone: Bool { answered == reads.count }

    mutating func add(_ read: Read) { reads.append(read) }

    /// Sends what is not sent yet, as far as it may be on its way.
    ///
    /// - Parameter request: Makes the request of a read and returns its number.
    mutating func send(_ display: Display, _ request: (Read) -> UInt32) {
        guard sent < reads.count, sent - answered <= Self.mostOnTheWay / 2 else { return }
        let end = min(reads.count, answered + Self.mostOnTheWay)
        for index in sent..<end { reads[index].request = request(reads[index]) }
        sent = end
        cxp_send(display.connection)
    }

    /// The next read with its answer; nil if that has not come yet.
    ///
    /// - Throws: `DisplayError.connectionLost`.
    mutating func next(_ display: Display) throws(DisplayError) -> (Read, Reply)? {
        guard answered < sent, let reply = try display.reply(to: reads[answered].request) else { return nil }
        answered += 1
        return (reads[answered - 1], reply)
    }
}
