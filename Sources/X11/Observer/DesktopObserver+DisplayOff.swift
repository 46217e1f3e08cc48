import CXPipeline
import Scenes

/// Detection of a display that is off. MIT-SCREEN-SAVER has events for it, also when DPMS switches the monitor off.
/// DPMS itself has none.
extension DesktopObserver {
    private var wantsDisplayOff: Bool { session.options.states.contains(.displayOff) }

    /// Selects the events of the savers, or deselects them.
    func followSavers() {
        let isWanted = wantsDisplayOff
        if let saver = extensions.screenSaver, isWanted == session.display.savers.isEmpty {
            for root in roots { cxp_select_saver(display.connection, saver, root, isWanted) }
            session.display.savers = isWanted ? roots.map { _ in .off } : []
            if isWanted { stale.session.insert(.savers) }
        }
        noteDisplayFacts()
    }

    /// Updates `displayOff` from the states of savers, power and monitors.
    func noteDisplayFacts() {
        let monitors = desktop.screen.monitors
        let displayOff = wantsDisplayOff ? session.display.displayOff(monitors: monitors) : nil
        guard displayOff != desktop.session.displayOff else { return }
        desktop.session.displayOff = displayOff
        news.hasChanged = true
    }

    func note(saverEvent event: cxp_event) {
        guard let screen = roots.firstIndex(of: event.window) else { return }
        noteSaver(DisplayFacts.Saver(state: event.detail, kind: event.mode), screen: screen)
    }

    func noteSaver(_ saver: DisplayFacts.Saver, screen: Int) {
        guard session.display.savers.indices.contains(screen) else { return }
        session.display.savers[screen] = saver
        if saver == .leftToClient && extensions.dpms != nil {
            stale.session.insert(.power)
        } else {
            session.display.powerLevel = 0
        }
        noteDisplayFacts()
    }

    func absorbSaver(_ reply: Reply, screen: Int) {
        session.ages.saver = reply.saverAge
        if let saver = reply.saver { noteSaver(saver, screen: screen) }
    }

    func absorbPower(_ reply: Reply) {
        session.display.powerLevel = reply.powerLevel ?? 0
        noteDisplayFacts()
    }
}

extension DisplayFacts.Saver {
    /// Converts the values of MIT-SCREEN-SAVER, such as ScreenSaverOn and ScreenSaverCycle. Unknown values hide
    /// nothing.
    init(state: UInt8, kind: UInt8) {
        switch (state, kind) {
        case (1, 0), (1, 1), (2, 0), (2, 1): self = .on
        case (1, 2), (2, 2): self = .leftToClient
        default: self = .off
        }
    }
}
