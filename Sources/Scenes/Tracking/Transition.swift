/// One step of one scene that is believed now.
struct Transition: Sendable {
    let id: WindowID
    let from: SceneReading?
    let to: SceneReading?
    let cause: Cause
    let held: Duration?

    var isFall: Bool {
        guard let to else { return true }
        guard let from else { return false }
        return to.phase < from.phase
    }

    var application: String { (to ?? from)?.application ?? "" }
    var group: String { (to ?? from)?.group ?? "" }
}

extension Cause {
    /// Why a scene went from one state to another.
    init(from old: SceneReading.Core?, to new: SceneReading.Core?) {
        guard let old else {
            self = .open
            return
        }
        guard let new else {
            self = .close
            return
        }
        if (old.application, old.group) != (new.application, new.group) {
            self = .regroup
        } else if let hiding = new.hiding {
            self = Cause(hiding)
        } else if let hiding = old.hiding {
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
