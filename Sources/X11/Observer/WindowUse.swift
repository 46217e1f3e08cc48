import CXPipeline
import CXlib
import Scenes

/// What an application does with the X server besides showing scenes.
package struct WindowUse: Equatable {
    /// What it shows besides its scenes, such as `dock`; nil for nothing. It is an unmanaged window, or one of a type
    /// that no scene has. An unmanaged window that is off-screen or one pixel large exists only to grab the pointer and
    /// the keyboard, and counts only while either is grabbed. A window inside another client's window, such as a tray
    /// icon, does not count.
    package var accessory: String?
    /// A process of another program whose window is inside of one of its own, as with `xterm -into`; nil for none.
    package var embedded: Int32?
    /// A process of it that shows a window and owns none of the known ones: a program that it has started, for example.
    package var newcomer: Int32?
    package var isFullscreen = false
    /// Whether it owns CLIPBOARD or PRIMARY.
    package var ownsSelection = false
    /// Whether any client has grabbed the pointer or the keyboard.
    package var isInputGrabbed = false
    /// The processes of the clients that manage or composite the windows of the screen: the owners of WM_Sn, of
    /// _NET_WM_CM_Sn, and of the window that _NET_SUPPORTING_WM_CHECK names.
    package var managers: Set<Int32> = []

    package init() {}
}

/// A question about the use of windows, which is answered after some round trips. Nothing waits.
final class WindowUseQuestion {
    private static let mostTypes: UInt32 = 64

    private let mirror: Mirror
    /// The known windows of the application, the processes that own these, and all of its processes.
    private let windows: [UInt32]
    private let owners: Set<Int32>
    private let processes: Set<Int32>
    /// The clients of the processes that own none of these windows.
    private var newcomers: [UInt32: Int32] = [:]
    private let answer: (WindowUse) -> Void
    private var use = WindowUse()

    private var display: Display { mirror.display }
    private var atoms: Atoms { mirror.atoms }

    init(
        _ mirror: Mirror, windows: [UInt32], owners: Set<Int32>, processes: Set<Int32>,
        answer: @escaping (WindowUse) -> Void
    ) {
        (self.mirror, self.windows, self.answer) = (mirror, windows, answer)
        (self.owners, self.processes) = (owners, processes)
    }

    /// Sends the first requests. The handlers of the replies keep the question alive.
    func ask() {
        ask([atoms.manager, atoms.compositor], display.owner(of:), \.selectionOwner) { owners in
            self.words(.supportingCheck, UInt32(XA_WINDOW), of: [self.mirror.root]) { checks in
                let managers = owners.compactMap(\.self) + checks.compactMap(\.first)
                self.pids(of: managers.filter { $0 != 0 }) { pids in
                    self.use.managers = Set(pids.compactMap(\.self))
                    self.findEmbedded()
                }
            }
        }
    }

    /// A host may put its guests into a window of its own.
    private func findEmbedded() {
        children(of: windows) { outer in
            self.children(of: outer) { inner in
                let guests = self.clients(
                    of: outer + inner, without: Set(self.windows.map(self.display.client)))
                self.pids(of: guests) { pids in
                    self.use.embedded = pids.lazy.compactMap(\.self).first { !self.processes.contains($0) }
                    self.findWindows()
                }
            }
        }
    }

    /// Managed windows may be inside of frames. i3 lists no docks, and in KWin and IceWM the frames are deeper.
    private func findWindows() {
        // Not those that the mirror has: a popup that has just been mapped must not be frozen.
        children(of: [mirror.root]) { outer in
            self.children(of: outer) { inner in
                let listed = self.mirror.desktop.screen.clients ?? []
                self.keepOwn(Array(listed.union(outer + inner))) { own in
                    self.findNewcomers(among: own, Set(outer).union(listed)) {
                        self.readKinds(of: own, Set(outer))
                    }
                }
            }
        }
    }

    /// A window that a window manager has just put into a frame is not listed yet.
    ///
    /// - Parameter outer: The children of the root window, and the listed clients.
    private func findNewcomers(among own: [UInt32], _ outer: Set<UInt32>, _ then: @escaping () -> Void) {
        let others = own.filter { newcomers[display.client(of: $0)] != nil }
        ask(others, display.attributes, \.isUnmanaged) { isUnmanaged in
            self.words(.wmState, self.atoms[.wmState], of: others) { states in
                let shown = zip(others, zip(isUnmanaged, states)).first { window, facts in
                    facts.0 == false && (outer.contains(window) || !facts.1.isEmpty)
                }
                self.use.newcomer = shown.flatMap { self.newcomers[self.display.client(of: $0.0)] }
                then()
            }
        }
    }

    /// - Parameter outer: The children of the root window.
    private func readKinds(of own: [UInt32], _ outer: Set<UInt32>) {
        ask(own, display.attributes, \.isUnmanaged) { isUnmanaged in
            self.words(.netType, UInt32(XA_ATOM), of: own) { types in
                let kinds = zip(own, zip(isUnmanaged, types)).compactMap {
                    window, facts -> (UInt32, String)? in
                    guard let isUnmanaged = facts.0 else { return nil }
                    let type = facts.1.lazy.compactMap(self.atoms.name(of:)).first?.windowType
                    let kind = isUnmanaged ? outer.contains(window) ? Self.popup : nil : type?.accessory
                    return kind.map { (window, $0) }
                }
                self.readAreas(of: kinds)
            }
        }
    }

    private static let popup = "menu or popup"

    private func readAreas(of shown: [(window: UInt32, kind: String)]) {
        let windows = [mirror.root] + shown.map(\.window)
        ask(windows, display.geometry, \.geometry) { sizes in
            self.ask(windows, self.display.position, \.corner) { corners in
                let areas = zip(sizes, corners).map { size, corner in
                    size.flatMap { size in corner.map { Rectangle(outerOf: size, at: $0) } }
                }
                let seen = zip(shown, areas.dropFirst()).first { _, area in
                    guard let area, let screen = areas[0] else { return false }
                    return area.width > 1 && area.height > 1 && area.intersects(screen)
                }
                self.use.accessory = seen?.0.kind
                self.readGrabs(hasPopup: shown.contains { $0.kind == Self.popup })
            }
        }
    }

    /// Tries grabs that cannot succeed.
    private func readGrabs(hasPopup: Bool) {
        let held = UInt8(AlreadyGrabbed)
        display.ask(display.tryPointer()) { reply in
            let pointer = reply.fixed(xcb_grab_pointer_reply_t.self)?.status
            self.display.ask(self.display.tryKeyboard()) { reply in
                let keyboard = reply.fixed(xcb_grab_keyboard_reply_t.self)?.status
                self.use.isInputGrabbed = pointer == held || keyboard == held
                if hasPopup && self.use.isInputGrabbed {
                    self.use.accessory = self.use.accessory ?? Self.popup
                }
                self.readSelections()
            }
        }
    }

    private func readSelections() {
        let known = mirror.desktop.windows
        use.isFullscreen = windows.contains { known.facts(of: $0)?.states.contains(.fullscreen) == true }
        ask([atoms[.clipboard], UInt32(XA_PRIMARY)], display.owner(of:), \.selectionOwner) { owners in
            self.keepOwn(owners.compactMap(\.self).filter { $0 != 0 }) { own in
                self.use.ownsSelection = !own.isEmpty
                self.answer(self.use)
            }
        }
    }

    /// Passes on the resources of clients that own one of the windows or belong to one of the processes. A process may
    /// have several connections.
    private func keepOwn(_ resources: [UInt32], _ then: @escaping ([UInt32]) -> Void) {
        var clients = Set(windows.map(display.client))
        let others = self.clients(of: resources, without: clients)
        pids(of: others) { pids in
            for (other, pid) in zip(others, pids) {
                guard let pid, self.processes.contains(pid) else { continue }
                clients.insert(self.display.client(of: other))
                if !self.owners.contains(pid) { self.newcomers[self.display.client(of: other)] = pid }
            }
            then(resources.filter { clients.contains(self.display.client(of: $0)) })
        }
    }

    /// Returns one of the resources of each further client.
    private func clients(of resources: [UInt32], without known: Set<UInt32>) -> [UInt32] {
        var seen = known
        return resources.filter { seen.insert(display.client(of: $0)).inserted }
    }

    /// Passes on the processes that own these resources, from X-Resource; none if the server lacks it.
    private func pids(of resources: [UInt32], _ then: @escaping ([Int32?]) -> Void) {
        guard let resource = mirror.extensions[.resource] else { return then([]) }
        ask(resources, { self.display.process(resource, of: $0) }, \.process, then)
    }

    private func children(of windows: [UInt32], _ then: @escaping ([UInt32]) -> Void) {
        ask(windows, display.tree, \.tree?.children) { then(Array($0.compactMap(\.self).joined())) }
    }

    /// Passes on the items of a property of each window; none where it is not set.
    private func words(
        _ property: AtomName, _ type: UInt32, of windows: [UInt32], _ then: @escaping ([[UInt32]]) -> Void
    ) {
        let request = { self.display.property($0, self.atoms[property], words: Self.mostTypes) }
        ask(windows, request, { $0.property?.words(type) }, { answers in then(answers.map { $0 ?? [] }) })
    }

    /// Asks for each resource, and passes on the answers together once the last has arrived, in their order; nil for a
    /// resource that is gone.
    private func ask<Answer>(
        _ resources: [UInt32], after former: [Answer?] = [], _ request: @escaping (UInt32) -> UInt32,
        _ read: @escaping (Reply) -> Answer?, _ then: @escaping ([Answer?]) -> Void
    ) {
        let batch = resources.prefix(Display.mostAwaited / 2)
        if batch.isEmpty { return then(former) }
        var answers = former
        for resource in batch {
            display.ask(request(resource)) { reply in
                answers.append(read(reply))
                guard answers.count == former.count + batch.count else { return }
                self.ask(Array(resources.dropFirst(batch.count)), after: answers, request, read, then)
            }
        }
    }
}

extension Reply {
    /// Whether a window that can be seen is unmanaged; nil for one that cannot be seen.
    fileprivate var isUnmanaged: Bool? {
        fixed(xcb_get_window_attributes_reply_t.self)
            .flatMap { $0.mapState == .viewable ? $0.override_redirect != 0 : nil }
    }
    fileprivate var geometry: xcb_get_geometry_reply_t? { fixed(xcb_get_geometry_reply_t.self) }
    fileprivate var corner: xcb_translate_coordinates_reply_t? {
        fixed(xcb_translate_coordinates_reply_t.self)
    }
}
