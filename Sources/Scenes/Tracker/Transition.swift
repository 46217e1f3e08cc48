/// One step of one scene that is believed now.
struct Transition: Sendable {
    /// nil for a scene that was not there.
    let from: ScenePhase?
    /// nil for a scene that is gone.
    let to: ScenePhase?
    /// What it reads as, and as the last thing did before it was gone.
    let reading: SceneReading
    let cause: Cause
    let held: Duration?

    var isFall: Bool {
        guard let to else { return true }
        guard let from else { return false }
        return to < from
    }
}

extension Cause {
    /// Why a scene went from one state to another.
    init(from old: SceneReading?, to new: SceneReading?) {
        guard let old else {
            self = .open
            return
        }
        guard let new else {
            self = .close
            return
        }
        if !old.core.hasNames(of: new.core) {
            self = .regroup
        } else if let hiding = new.core.hiding {
            self = Cause(hiding)
        } else if let hiding = old.core.hiding {
            self = Cause(endOf: hiding)
        } else {
            self = new.phase == .active ? .focus : .blur
        }
    }

    private init(_ hiding: Hiding) {
        self =
            switch hiding {
            case .iconified: .iconify
            case .onOtherDesktop: .desktop
            case .desktopShown: .showDesktop
            case .shaded: .shade
            case .behindTab: .tab
            case .offScreen: .offscreen
            case .unmapped: .unmap
            }
    }

    private init(endOf hiding: Hiding) {
        self =
            switch hiding {
            case .iconified: .deiconify
            case .unmapped: .map
            default: Cause(hiding)
            }
    }
}
