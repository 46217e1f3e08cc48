/// A type in _NET_WM_WINDOW_TYPE.
package enum WindowType: CaseIterable, Sendable {
    case normal, dialog, utility, toolbar
    case desktop, dock, splash, tooltip, notification
    case menu, dropdownMenu, popupMenu, combo, dragAndDrop

    /// What windows of this type are for the rule.
    package var kind: WindowFacts.Kind {
        switch self {
        case .normal, .dialog, .utility, .toolbar: .application
        case .desktop: .desktop
        case .dock, .splash, .tooltip, .notification, .menu, .dropdownMenu, .popupMenu, .combo, .dragAndDrop:
            .accessory
        }
    }

    /// What an application shows with such a window besides its scenes, in a word for people; nil for a type of scenes.
    package var accessory: String? {
        switch self {
        case .normal, .dialog, .utility, .toolbar: nil
        case .desktop: "desktop"
        case .dock: "dock"
        case .splash: "splash screen"
        case .tooltip: "tooltip"
        case .notification: "notification"
        case .menu, .dropdownMenu, .popupMenu, .combo, .dragAndDrop: "menu or popup"
        }
    }
}
