import CXlib
import Glibc

/// The names that xphase needs atoms for.
enum AtomName: String, CaseIterable {
    case wmState = "WM_STATE"
    case wmClass = "WM_CLASS"
    case wmName = "WM_NAME"
    case wmClientMachine = "WM_CLIENT_MACHINE"
    case wmTransientFor = "WM_TRANSIENT_FOR"
    case utf8String = "UTF8_STRING"

    case supported = "_NET_SUPPORTED"
    case supportingCheck = "_NET_SUPPORTING_WM_CHECK"
    case clientList = "_NET_CLIENT_LIST"
    case clientListStacking = "_NET_CLIENT_LIST_STACKING"
    case activeWindow = "_NET_ACTIVE_WINDOW"
    case currentDesktop = "_NET_CURRENT_DESKTOP"
    case showingDesktop = "_NET_SHOWING_DESKTOP"

    case netName = "_NET_WM_NAME"
    case netPid = "_NET_WM_PID"
    case netDesktop = "_NET_WM_DESKTOP"
    case netState = "_NET_WM_STATE"
    case stateHidden = "_NET_WM_STATE_HIDDEN"
    case stateShaded = "_NET_WM_STATE_SHADED"
    case stateSticky = "_NET_WM_STATE_STICKY"

    case netType = "_NET_WM_WINDOW_TYPE"
    case typeDesktop = "_NET_WM_WINDOW_TYPE_DESKTOP"
    case typeDock = "_NET_WM_WINDOW_TYPE_DOCK"
    case typeToolbar = "_NET_WM_WINDOW_TYPE_TOOLBAR"
    case typeMenu = "_NET_WM_WINDOW_TYPE_MENU"
    case typeUtility = "_NET_WM_WINDOW_TYPE_UTILITY"
    case typeSplash = "_NET_WM_WINDOW_TYPE_SPLASH"
    case typeDialog = "_NET_WM_WINDOW_TYPE_DIALOG"
    case typeDropdownMenu = "_NET_WM_WINDOW_TYPE_DROPDOWN_MENU"
    case typePopupMenu = "_NET_WM_WINDOW_TYPE_POPUP_MENU"
    case typeTooltip = "_NET_WM_WINDOW_TYPE_TOOLTIP"
    case typeNotification = "_NET_WM_WINDOW_TYPE_NOTIFICATION"
    case typeCombo = "_NET_WM_WINDOW_TYPE_COMBO"
    case typeDnd = "_NET_WM_WINDOW_TYPE_DND"
    case typeNormal = "_NET_WM_WINDOW_TYPE_NORMAL"
}

/// The atoms of one display, in both directions.
struct Atoms {
    private let values: [AtomName: UInt32]
    private let names: [UInt32: AtomName]
    /// _NET_WM_CM_Sn of each screen.
    let compositors: [UInt32]
    /// WM_Sn of each screen.
    let managers: [UInt32]

    /// Interns all of them in one request.
    init(_ display: Display) {
        let screens = 0..<display.screenCount
        let selections = ["_NET_WM_CM_S", "WM_S"].flatMap { name in screens.map { "\(name)\($0)" } }
        let strings = AtomName.allCases.map(\.rawValue) + selections
        let atoms = Self.intern(strings, display)
        values = Dictionary(uniqueKeysWithValues: zip(AtomName.allCases, atoms))
        names = Dictionary(zip(atoms, AtomName.allCases)) { first, _ in first }
        compositors = Array(atoms.suffix(2 * screens.count).prefix(screens.count))
        managers = Array(atoms.suffix(screens.count))
    }

    subscript(name: AtomName) -> UInt32 { values[name] ?? 0 }

    func name(of atom: UInt32) -> AtomName? { names[atom] }

    private static func intern(_ strings: [String], _ display: Display) -> [UInt32] {
        var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        var atoms = [Atom](repeating: 0, count: strings.count)
        XInternAtoms(display.pointer, &pointers, Int32(strings.count), 0, &atoms)
        return atoms.map { UInt32(truncatingIfNeeded: $0) }
    }
}
