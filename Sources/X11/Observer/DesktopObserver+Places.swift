import CXPipeline
import CXlib
import Scenes

/// The monitors and desktops of windows, by name.
extension DesktopObserver {
    /// Desktops beyond this number have no names.
    private static let mostDesktops = 256

    func absorbNamedMonitors(_ reply: Reply, screen: Int) {
        screenNotes[screen].monitors = reply.monitors
        for (atom, _) in reply.monitors where known.atomNames[atom] == nil { stale.atoms.append(atom) }
    }

    func absorbAtomName(_ reply: Reply, of atom: UInt32) {
        known.atomNames[atom] = reply.atomName ?? ""
    }

    func absorbDesktopNames(_ property: Property?, screen: Int) {
        let texts = property?.text(atoms[.utf8String])?.split(
            separator: 0, maxSplits: Self.mostDesktops, omittingEmptySubsequences: false)
        screenNotes[screen].desktopNames = texts?.prefix(Self.mostDesktops).map { Text.decode($0) } ?? []
    }

    /// The names of all monitors.
    package var monitorNames: [String] {
        roots.indices.flatMap { namedMonitors(of: $0).map(\.name) }
    }

    private func namedMonitors(of screen: Int) -> [(name: String, area: Rectangle)] {
        let named = screenNotes[screen].monitors.map { (known.atomNames[$0.name] ?? "", $0.area) }
        if !named.isEmpty { return named }
        // XINERAMA only numbers the monitors.
        return (desktop.screen.monitors ?? []).enumerated().map { (String($0.offset), $0.element) }
    }

    /// Sets the monitor and desktop names of all windows, which depend on the screen, too.
    package func placeAll() {
        if !wants.places { return }
        let monitors = roots.indices.map(namedMonitors)
        for slot in Array(desktop.windows.usedSlots) {
            desktop.windows.setPlace(
                slot, monitor: monitor(of: slot, among: monitors[0]),
                desktopName: desktopName(of: slot))
        }
    }

    private func desktopName(of slot: Int) -> String? {
        let names = screenNotes[0].desktopNames
        let number = desktop.windows.facts[slot].desktop
        return number.flatMap { Int($0) < names.count ? names[Int($0)].nonEmpty : nil }
    }

    /// Returns the monitor that contains the largest part of a window.
    private func monitor(of slot: Int, among monitors: [(name: String, area: Rectangle)]) -> String? {
        guard let place = desktop.windows.facts[slot].place else { return nil }
        let shares = monitors.map { ($0.name, $0.area.overlap(with: place)) }
            .filter { $0.1 > 0 }
        return shares.max { $0.1 < $1.1 }?.0
    }
}
