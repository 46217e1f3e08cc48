import CXPipeline
import CXlib
import Scenes

/// The names of the atoms that xphase uses.
enum AtomName: Int, CaseIterable {
    case wmState, wmClass, wmHints, wmName, wmClientMachine, wmTransientFor, wmWindowRole, utf8String
    case supported, supportingCheck, clientList, clientListStacking, activeWindow, currentDesktop,
        showingDesktop, desktopNames
    case netName, netPid, netDesktop, netState, stateHidden, stateShaded, stateSticky
    case stateFullscreen, stateMaximizedVertically, stateMaximizedHorizontally, netOpacity, netFrameExtents
    case netType, typeDesktop, typeDock, typeToolbar, typeMenu, typeUtility, typeSplash, typeDialog
    case typeDropdownMenu, typePopupMenu, typeTooltip, typeNotification, typeCombo, typeDnd, typeNormal
    case closeWindow, hasTerminal, saverStatus, saverBlank, saverLock, clipboard
    case protocols, syncRequest, frameDrawn, frameTimings, embedding, readSettings, loadIcons, inputMethod,
        inputMethodData

    /// The name as it is interned.
    var text: String {
        switch self {
        case .wmState: "WM_STATE"
        case .wmClass: "WM_CLASS"
        case .wmHints: "WM_HINTS"
        case .wmName: "WM_NAME"
        case .wmClientMachine: "WM_CLIENT_MACHINE"
        case .wmTransientFor: "WM_TRANSIENT_FOR"
        case .wmWindowRole: "WM_WINDOW_ROLE"
        case .utf8String: "UTF8_STRING"
        case .supported: "_NET_SUPPORTED"
        case .supportingCheck: "_NET_SUPPORTING_WM_CHECK"
        case .clientList: "_NET_CLIENT_LIST"
        case .clientListStacking: "_NET_CLIENT_LIST_STACKING"
        case .activeWindow: "_NET_ACTIVE_WINDOW"
        case .currentDesktop: "_NET_CURRENT_DESKTOP"
        case .showingDesktop: "_NET_SHOWING_DESKTOP"
        case .desktopNames: "_NET_DESKTOP_NAMES"
        case .netName: "_NET_WM_NAME"
        case .netPid: "_NET_WM_PID"
        case .netDesktop: "_NET_WM_DESKTOP"
        case .netState: "_NET_WM_STATE"
        case .stateHidden: "_NET_WM_STATE_HIDDEN"
        case .stateShaded: "_NET_WM_STATE_SHADED"
        case .stateSticky: "_NET_WM_STATE_STICKY"
        case .stateFullscreen: "_NET_WM_STATE_FULLSCREEN"
        case .stateMaximizedVertically: "_NET_WM_STATE_MAXIMIZED_VERT"
        case .stateMaximizedHorizontally: "_NET_WM_STATE_MAXIMIZED_HORZ"
        case .netOpacity: "_NET_WM_WINDOW_OPACITY"
        case .netFrameExtents: "_NET_FRAME_EXTENTS"
        case .netType: "_NET_WM_WINDOW_TYPE"
        case .typeDesktop: "_NET_WM_WINDOW_TYPE_DESKTOP"
        case .typeDock: "_NET_WM_WINDOW_TYPE_DOCK"
        case .typeToolbar: "_NET_WM_WINDOW_TYPE_TOOLBAR"
        case .typeMenu: "_NET_WM_WINDOW_TYPE_MENU"
        case .typeUtility: "_NET_WM_WINDOW_TYPE_UTILITY"
        case .typeSplash: "_NET_WM_WINDOW_TYPE_SPLASH"
        case .typeDialog: "_NET_WM_WINDOW_TYPE_DIALOG"
        case .typeDropdownMenu: "_NET_WM_WINDOW_TYPE_DROPDOWN_MENU"
        case .typePopupMenu: "_NET_WM_WINDOW_TYPE_POPUP_MENU"
        case .typeTooltip: "_NET_WM_WINDOW_TYPE_TOOLTIP"
        case .typeNotification: "_NET_WM_WINDOW_TYPE_NOTIFICATION"
        case .typeCombo: "_NET_WM_WINDOW_TYPE_COMBO"
        case .typeDnd: "_NET_WM_WINDOW_TYPE_DND"
        case .typeNormal: "_NET_WM_WINDOW_TYPE_NORMAL"
        case .closeWindow: "_NET_CLOSE_WINDOW"
        case .hasTerminal: "XFree86_has_VT"
        case .saverStatus: "_SCREENSAVER_STATUS"
        case .saverBlank: "BLANK"
        case .saverLock: "LOCK"
        case .clipboard: "CLIPBOARD"
        case .protocols: "WM_PROTOCOLS"
        case .syncRequest: "_NET_WM_SYNC_REQUEST"
        case .frameDrawn: "_NET_WM_FRAME_DRAWN"
        case .frameTimings: "_NET_WM_FRAME_TIMINGS"
        case .embedding: "_XEMBED"
        case .readSettings: "_GTK_READ_RCFILES"
        case .loadIcons: "_GTK_LOAD_ICONTHEMES"
        case .inputMethod: "_XIM_PROTOCOL"
        case .inputMethodData: "_XIM_MOREDATA"
        }
    }
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

/// The values of window properties.
extension Atoms {
    /// Returns the states in _NET_WM_STATE. Combines numbers: the operations that an option set of another module
    /// inherits are not specialized here, and cost a hundred times as much.
    func states(_ property: Property?) -> WindowFacts.States {
        typealias States = WindowFacts.States
        var states: UInt8 = 0
        for atom in property?.words(UInt32(XA_ATOM)) ?? [] {
            switch name(of: atom) {
            case .stateHidden: states |= States.hidden.rawValue
            case .stateShaded: states |= States.shaded.rawValue
            case .stateSticky: states |= States.sticky.rawValue
            case .stateFullscreen: states |= States.fullscreen.rawValue
            case .stateMaximizedVertically: states |= States.maximizedVertically.rawValue
            case .stateMaximizedHorizontally: states |= States.maximizedHorizontally.rawValue
            default: break
            }
        }
        return States(rawValue: states)
    }

    /// Returns the kind in _NET_WM_WINDOW_TYPE. Clients list types by preference, and the first known one counts.
    func kind(_ property: Property?, of window: WindowFacts) -> WindowFacts.Kind {
        let types = property?.words(UInt32(XA_ATOM)) ?? []
        if window.isOverrideRedirect && types.first == self[.typeDialog] { return .unmanagedDialog }
        return types.lazy.compactMap { name(of: $0)?.windowType }.first?.kind ?? .application
    }
}

extension AtomName {
    /// The type of windows that the atom names; nil if it names none that is known.
    var windowType: WindowType? {
        switch self {
        case .typeNormal: .normal
        case .typeDialog: .dialog
        case .typeUtility: .utility
        case .typeToolbar: .toolbar
        case .typeDesktop: .desktop
        case .typeDock: .dock
        case .typeSplash: .splash
        case .typeTooltip: .tooltip
        case .typeNotification: .notification
        case .typeMenu: .menu
        case .typeDropdownMenu: .dropdownMenu
        case .typePopupMenu: .popupMenu
        case .typeCombo: .combo
        case .typeDnd: .dragAndDrop
        default: nil
        }
    }
}

/// The server extensions that xphase uses: the major opcode of each that the server has.
package struct Extensions: Sendable {
    /// The extensions, by their names in the protocol.
    package enum Name: String, CaseIterable {
        case screenSaver = "MIT-SCREEN-SAVER"
        case dpms = "DPMS"
        case randr = "RANDR"
        case sync = "SYNC"
        case shape = "SHAPE"
        case resource = "X-Resource"
        case record = "RECORD"
        /// It has no requests that xphase uses. XWayland learns neither of locks nor of idle times of the session.
        case xwayland = "XWAYLAND"
    }

    private var opcodes: [Name: UInt8] = [:]

    /// Sends one request per extension.
    static func ask(_ display: Display) -> [UInt32] {
        Name.allCases.map { display.query(extension: $0.rawValue) }
    }

    /// Takes the replies to `ask`, and registers the event codes of the extensions.
    init(_ display: Display, _ requests: [UInt32], within limit: Duration) throws(MonitorFailure) {
        let end = ContinuousClock.now + limit
        for (name, request) in zip(Name.allCases, requests) {
            let reply = try display.reply(to: request, until: end).fixed(xcb_query_extension_reply_t.self)
            guard let reply, reply.present != 0 else { continue }
            opcodes[name] = reply.major_opcode
            switch name {
            case .screenSaver: display.eventCodes.saver = reply.first_event
            case .sync: display.eventCodes.alarm = reply.first_event &+ UInt8(XSyncAlarmNotify)
            case .shape: display.eventCodes.shape = reply.first_event &+ UInt8(ShapeNotify)
            default: break
            }
        }
    }

    package subscript(name: Name) -> UInt8? { opcodes[name] }
}
