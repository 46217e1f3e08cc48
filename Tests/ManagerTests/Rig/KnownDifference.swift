/// The differences between a running watch and a new list that no reading can end, each with its reason. Every other
/// difference is a fault.
///
/// Two more are met by no walk. No event reports override-redirect that is set on a mapped window: only a new list knows.
/// A reported lock lasts while a new monitor is not covered yet, where a new list sees no lock.
enum KnownDifference {
    /// Some window managers keep a window that was withdrawn while they hid it. Only a watch that saw it knows. A dialog of
    /// such a window is then a scene of its own, or a part of that of the window.
    case withdrawal
    /// After a restart, sawfish leaves _NET_ACTIVE_WINDOW as it was. Only a watch that saw the restart knows.
    case activeWindow

    /// Returns the difference that may remain for a window; nil for none.
    init?(of client: ScenarioClient, in rig: Rig) {
        let mayBeWithdrawn = rig.withParents(client).contains {
            $0.life == .withdrawn || $0.mayBeKept && !$0.window.isMapped
        }
        if mayBeWithdrawn {
            self = .withdrawal
        } else if rig.hadAnotherManager && rig.manager.name == Manager.sawfish.name {
            self = .activeWindow
        } else {
            return nil
        }
    }
}
