import Scenes

extension PhaseMonitor {
    /// What a phase is asked of.
    ///
    /// Globs are those of fnmatch(3), upper and lower case alike: `*`, `?` and `[abc]`. A subject that names
    /// several things has the greatest of their phases.
    public enum Subject: Hashable, Sendable {
        /// The applications whose class name, or one of whose instance names, a glob matches.
        ///
        /// The corresponding property is `WM_CLASS`.
        case application(String)
        /// The groups whose instance name a glob matches, in the applications that another one matches.
        ///
        /// The corresponding property is `WM_CLASS`.
        case group(String, of: String = "*")
        /// The scene of the window with an X resource id, as `gdk_x11_surface_get_xid` returns it.
        ///
        /// A dialog of the same application belongs to the scene of the window that it is for, and has none of
        /// its own.
        case scene(UInt32)
        /// Everything on the display, on all three levels.
        case all
        /// The windows of this process, taken together as an application.
        ///
        /// They are those whose `_NET_WM_PID` is its id and whose `WM_CLIENT_MACHINE` names this host, as
        /// toolkits set them.
        case ownProcess
    }
}
