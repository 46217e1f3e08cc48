import CXPipeline

/// Reads that are asked for together and cost one round trip together, or one more for each 2048 reads,
/// which is about 120 new windows.
///
/// Each read is given what to do with its answer. `run` calls these in the order of the reads.
struct ReadPass: ~Copyable {
    /// More than this many replies on their way could fill the socket's buffers in both directions.
    private static let repliesInFlight = 2048

    private typealias Handler = (cxp_answer) -> Void
    private let display: Display
    private var batch: OpaquePointer
    private var handlers: [Handler] = []

    init(_ display: Display) {
        self.display = display
        batch = cxp_begin(display.pointer)
    }

    deinit {
        cxp_end(batch)
    }

    /// Reads a property, up to `words` times 4 bytes of it.
    mutating func property(
        _ atom: UInt32, of window: UInt32, words: UInt32, _ absorb: @escaping (Property?) -> Void
    ) {
        cxp_get_property(batch, UInt(window), UInt(atom), words)
        add { absorb(Property($0)) }
    }

    /// Reads map state and event masks. nil stands for a window that is gone.
    mutating func attributes(of window: UInt32, _ absorb: @escaping (Attributes?) -> Void) {
        cxp_get_attributes(batch, UInt(window))
        add { absorb($0.answered ? Attributes($0) : nil) }
    }

    /// Reads width and height with the borders.
    mutating func size(of window: UInt32, _ absorb: @escaping ((width: Int32, height: Int32)?) -> Void) {
        cxp_get_geometry(batch, UInt(window))
        add { absorb($0.answered ? ($0.geometry.width, $0.geometry.height) : nil) }
    }

    /// Reads where the upper left corner of a window is on the root window.
    mutating func position(
        of window: UInt32, on root: UInt32, _ absorb: @escaping ((x: Int32, y: Int32)?) -> Void
    ) {
        cxp_get_position(batch, UInt(window), UInt(root))
        add { absorb($0.answered ? ($0.position.x, $0.position.y) : nil) }
    }

    /// Reads the parent and the children of a window.
    mutating func tree(of window: UInt32, _ absorb: @escaping (Tree?) -> Void) {
        cxp_get_tree(batch, UInt(window))
        add { absorb($0.answered ? Tree($0) : nil) }
    }

    /// Reads which window owns a selection, 0 for none.
    mutating func owner(of selection: UInt32, _ absorb: @escaping (UInt32) -> Void) {
        cxp_get_selection_owner(batch, UInt(selection))
        add { absorb($0.answered ? $0.owner : 0) }
    }

    /// Reads which child of a root window the pointer is on: 0 for none, nil when it is on another screen.
    mutating func pointer(on root: UInt32, _ absorb: @escaping (UInt32?) -> Void) {
        cxp_get_pointer(batch, UInt(root))
        add { absorb($0.answered && $0.pointer.root == root ? $0.pointer.child : nil) }
    }

    /// Waits for the answers and hands them out.
    ///
    /// - Returns: The window with the input focus, 0 for None, 1 for PointerRoot.
    /// - Throws: `DisplayError.connectionLost`; answers that had come before are handed out nevertheless.
    mutating func run() throws(DisplayError) -> UInt32 {
        let focus = finish()
        try display.check()
        return focus
    }

    private mutating func add(_ handler: @escaping Handler) {
        handlers.append(handler)
        if handlers.count == Self.repliesInFlight {
            _ = finish()
            cxp_end(batch)
            batch = cxp_begin(display.pointer)
        }
    }

    private mutating func finish() -> UInt32 {
        let focus = UInt32(truncatingIfNeeded: cxp_wait(batch))
        if let answers = cxp_answers(batch) {
            for (index, handler) in handlers.enumerated() { handler(answers[index]) }
        }
        handlers.removeAll(keepingCapacity: true)
        return focus
    }
}
