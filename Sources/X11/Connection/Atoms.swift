import CXPipeline
import Scenes

/// The names of the atoms that xphase uses.
enum AtomName: Int, CaseIterable {
    case wmState, wmClass, wmHints, wmName, wmClientMachine, wmTransientFor, wmWindowRole, utf8String
    case supported, supportingCheck, clientList, clientListStacking, activeWindow, currentDesktop,
        showingDesktop, desktopNames
    case netName, netPid, netDesktop, netState, stateHidden, stateShaded, stateSticky
    case stateFullscreen, stateMaximizedVertically, stateMaximizedHorizontally
    case netOpacity
    case netType, typeDesktop, typeDock, typeToolbar, typeMenu, typeUtility, typeSplash, typeDialog
    case typeDropdownMenu, typePopupMenu, typeTooltip, typeNotification, typeCombo, typeDnd, typeNormal
    case closeWindow, hasTerminal, saverStatus, saverBlank, saverLock, clipboard

    /// The name as it is interned.
    var text: String { Self.texts[rawValue] }

    /// In the order of the cases.
    private static let texts = [
        "WM_STATE", "WM_CLASS", "WM_HINTS", "WM_NAME", "WM_CLIENT_MACHINE", "WM_TRANSIENT_FOR",
        "WM_WINDOW_ROLE", "UTF8_STRING",
        "_NET_SUPPORTED", "_NET_SUPPORTING_WM_CHECK", "_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING",
        "_NET_ACTIVE_WINDOW", "_NET_CURRENT_DESKTOP", "_NET_SHOWING_DESKTOP", "_NET_DESKTOP_NAMES",
        "_NET_WM_NAME", "_NET_WM_PID", "_NET_WM_DESKTOP", "_NET_WM_STATE", "_NET_WM_STATE_HIDDEN",
        "_NET_WM_STATE_SHADED", "_NET_WM_STATE_STICKY", "_NET_WM_STATE_FULLSCREEN",
        "_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ",
        "_NET_WM_WINDOW_OPACITY",
        "_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_DESKTOP", "_NET_WM_WINDOW_TYPE_DOCK",
        "_NET_WM_WINDOW_TYPE_TOOLBAR", "_NET_WM_WINDOW_TYPE_MENU", "_NET_WM_WINDOW_TYPE_UTILITY",
        "_NET_WM_WINDOW_TYPE_SPLASH", "_NET_WM_WINDOW_TYPE_DIALOG", "_NET_WM_WINDOW_TYPE_DROPDOWN_MENU",
        "_NET_WM_WINDOW_TYPE_POPUP_MENU", "_NET_WM_WINDOW_TYPE_TOOLTIP", "_NET_WM_WINDOW_TYPE_NOTIFICATION",
        "_NET_WM_WINDOW_TYPE_COMBO", "_NET_WM_WINDOW_TYPE_DND", "_NET_WM_WINDOW_TYPE_NORMAL",
        "_NET_CLOSE_WINDOW", "XFree86_has_VT", "_SCREENSAVER_STATUS", "BLANK", "LOCK",
        "CLIPBOARD",
    ]
}

/// The atoms of one display, with lookup by name and by atom.
struct Atoms {
    /// In the order of the cases of `AtomName`.
    private let values: [UInt32]
    private let names: [UInt32: AtomName]
    /// _NET_WM_CM_Sn.
    let compositor: UInt32
    /// WM_Sn.
    let manager: UInt32

    /// Interns all atoms in one round trip.
    init(_ display: Display, within limit: Duration) throws(MonitorFailure) {
        let selections = ["_NET_WM_CM_S", "WM_S"].map { "\($0)\(display.screen)" }
        let requests = (AtomName.allCases.map(\.text) + selections).map(display.intern)
        let end = ContinuousClock.now + limit
        var atoms: [UInt32] = []
        for request in requests {
            let reply = try display.reply(to: request, until: end)
            atoms.append(reply.fixed(xcb_intern_atom_reply_t.self)?.atom ?? 0)
        }
        values = atoms
        names = Dictionary(zip(atoms, AtomName.allCases)) { first, _ in first }
        (compositor, manager) = (atoms[atoms.count - 2], atoms[atoms.count - 1])
    }

    subscript(name: AtomName) -> UInt32 { values[name.rawValue] }

    func name(of atom: UInt32) -> AtomName? { names[atom] }
}
