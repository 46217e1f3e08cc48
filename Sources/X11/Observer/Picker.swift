import CXPipeline
import CXlib
import Glibc
import Scenes

/// Lets the user choose a window by a click. Waits for replies, and throws `displayLost` and `displaySilent`.
package struct Picker {
    /// A program that is started by a key or from a menu may find the pointer still grabbed.
    private static let timeForOthers = Duration.seconds(1)
    private static let pause: Int32 = 20
    private static let timeForUser = Duration.seconds(1 << 32)

    private let observer: DesktopObserver
    private var display: Display { observer.display }
    private var desktop: Desktop { observer.desktop }

    package init(_ observer: DesktopObserver) { self.observer = observer }

    /// Grabs the pointer and waits for the next click. A signal that ends the process ends the grab.
    package func pick() throws(MonitorFailure) -> Picked {
        _ = try observer.refreshNow()
        let escape = try keys(of: UInt32(XK_Escape))
        guard try grab() else { return .refused }
        defer { display.ungrab() }
        var pressed: DisplayEvent.Input?
        while true {
            var inputs: [DisplayEvent.Input] = []
            try display.drain { event in
                if case .input(let input) = event.kind, !event.isSent { inputs.append(input) }
                observer.note(event)
            }
            for input in inputs {
                switch input.kind {
                case .key where escape.contains(input.number): return .cancelled
                case .press where Int32(input.number) != Button1: return .cancelled
                case .press: pressed = input
                case .release:
                    // Not before the release, or the window would get half a click.
                    if let pressed { return try window(under: pressed) }
                case .key: break
                }
            }
            if !display.hasQueuedEvents { try display.wait(until: .now + Self.timeForUser) }
        }
    }

    /// Grabs the pointer, and the keyboard if possible: without it, Escape does not work, but the other buttons do. Returns
    /// whether the pointer is grabbed.
    private func grab() throws(MonitorFailure) -> Bool {
        let end = ContinuousClock.now + Self.timeForOthers
        let (root, cursor) = (display.root, display.makeCrosshair())
        defer { display.discard(cursor: cursor) }
        var (hasPointer, hasKeys, hasCursor) = (false, false, true)
        while true {
            if !hasPointer {
                let reply = try observer.reply(to: display.grabPointer(root, cursor: hasCursor ? cursor : 0))
                let answer = reply.fixed(xcb_grab_pointer_reply_t.self)
                // The server may lack the cursor font.
                hasCursor = answer != nil
                hasPointer = answer.map { Int32($0.status) } == GrabSuccess
            }
            if !hasKeys {
                let reply = try observer.reply(to: display.grabKeyboard(root))
                hasKeys = reply.fixed(xcb_grab_keyboard_reply_t.self).map { Int32($0.status) } == GrabSuccess
            }
            if hasPointer && hasKeys || ContinuousClock.now > end { break }
            poll(nil, 0, Self.pause)
        }
        if !hasPointer { display.ungrab() }
        return hasPointer
    }

    /// Returns the keys that have a symbol.
    private func keys(of symbol: UInt32) throws(MonitorFailure) -> Set<UInt8> {
        let (perKey, symbols) = try observer.reply(to: display.keys()).keySymbols
        guard perKey > 0 else { return [] }
        return Set(
            symbols.indices.filter { symbols[$0] == symbol }.map {
                display.firstKey &+ UInt8(truncatingIfNeeded: $0 / perKey)
            })
    }

    private func window(under click: DisplayEvent.Input) throws(MonitorFailure) -> Picked {
        _ = try observer.refreshNow()
        let point = Rectangle(x: click.x, y: click.y, width: 1, height: 1)
        // The others are on another screen.
        let isHere = click.root == display.root
        return isHere ? window(in: click.child, under: point).map { .window($0) } ?? .nothing : .nothing
    }

    /// Returns the known window that is, contains or is framed by a window; nil if there is none. Waits for replies.
    package func window(around xid: UInt32) throws(MonitorFailure) -> UInt32? {
        var path: [UInt32]? = []
        observer.tree.climb(from: xid) { path = $0 }
        _ = try observer.refreshNow()
        return ([xid] + (path ?? [])).lazy.compactMap { window(in: $0, under: nil) }.first
    }

    /// Returns a known window: the one of this ID, or one in this frame. If a frame contains several, such as tabs,
    /// returns the visible one.
    private func window(in frame: UInt32, under point: Rectangle?) -> UInt32? {
        if desktop.windows.slot(of: frame) != nil { return frame }
        let (desktop, rule) = (desktop, Rule(desktop, .visible))
        func rank(_ xid: UInt32) -> Int {
            guard let slot = desktop.windows.slot(of: xid) else { return 0 }
            let geometry = desktop.windows.facts[slot].geometry
            let isUnderPointer = point.map { geometry?.contains($0) == true } ?? false
            let isVisible = rule.verdict(at: slot)?.phase == .active
            return (isVisible ? 2 : 0) + (isUnderPointer ? 1 : 0)
        }
        return observer.tree.windows(in: frame).sorted().max { rank($0) < rank($1) }
    }
}
