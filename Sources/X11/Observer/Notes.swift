import CXPipeline
import Scenes

/// The host that the local clients of the display run on.
struct Host {
    /// The host name. _NET_WM_PID counts only if WM_CLIENT_MACHINE equals it.
    let name: [UInt8]
    /// Returns the name of the program that a process of this host runs; nil if there is none.
    let executable: (Int32) -> String?
    /// Returns whether a process of this host may have a host name other than `name`, as in a sandbox.
    let isRenamed: (Int32) -> Bool
}

/// The pending reads and their state.
struct Reading {
    var pass = ReadPass()
    /// The number of passes since everything was last current.
    var passCount = 0
    var answerCount = 0
    var isInterrupted = false
    /// The sequence number of the last request whose reply is known to have been handled.
    var upTo: UInt32 = 0
    /// The focus search that the pending replies belong to.
    var focusSearch = Stale.FocusSearch.done
    /// The children of the root windows, until `refresh` completes.
    var topLevels: Set<UInt32> = []
    /// The attributes of the found window whose other replies come next.
    var foundAttributes: xcb_get_window_attributes_reply_t?
}

/// The data kept about known windows.
struct KnownWindows {
    /// Indexed by the slots of the windows.
    var notes: [WindowNotes] = []
    /// The client windows in each frame of the window manager.
    var framed: [UInt32: Set<UInt32>] = [:]
    /// The clients with known windows, by their resource ID bases.
    var clients: [UInt32: KnownClient] = [:]
    /// The slots of the windows without a class.
    var nameless: Set<Int> = []
    var lastGeneration: UInt32 = 0
    /// The names of monitors by their atoms.
    var atomNames: [UInt32: String] = [:]
}

/// What names the windows of an X client that have no class.
struct KnownClient: Equatable {
    /// The number of its known windows.
    var windowCount = 0
    /// The first class and the first process that were read of its windows.
    var className: String?
    var pid: Int32?
}

/// The data kept about windows that may cover others, or be covered.
struct OcclusionNotes {
    /// The facts that are read and followed, by window.
    var facts: [UInt32: SurfaceFacts] = [:]
}

/// The data kept about the session.
struct SessionNotes {
    /// The facts that are read and followed besides windows, the focus and the window manager.
    var options = SessionOptions(states: [])
    /// Whether an unmanaged window was ever followed.
    var hasLockerCandidates = false
    /// The clients of large unmanaged windows, by their resource ID bases.
    var lockerClients: Set<UInt32> = []
    /// The facts that determine whether the display is off.
    var display = DisplayFacts()
    /// The SYNC counter IDLETIME, once it was found.
    var idleCounter: UInt32?
    /// nil while idle times are not wanted, or cannot be reported.
    var idleAlarms: IdleAlarms?
    var ages = SessionAges()
}

/// The data kept about the input focus.
struct FocusNotes {
    /// Whether the focus was ever in the window under the pointer, so that windows report crossings of the pointer.
    var followsPointer = false
    /// The window that GetInputFocus returned, and its ancestors up to the first known one.
    var path: [UInt32] = []
}

/// Changes that are not passed on yet.
struct News {
    /// Whether an event reported a fact, so that there is nothing to read.
    var hasChanged = false
    /// Whether windows were adopted since the last search for the focus.
    var hasAdopted = false
    /// The slots of windows whose titles have changed.
    var retitled: [Int32] = []
    static let mostRequested = 64
    /// The windows that the window manager was asked to activate or close.
    var requested: Set<UInt32> = []
    /// Button and key events during a grab; nil otherwise.
    var inputs: [cxp_event]?
}

/// The facts to read or record besides those that phases need.
package struct Wants: Equatable {
    /// Titles of windows that have another name. Browsers and terminals change theirs often.
    package var titles = true
    /// The program that a process executes, even if nothing is named after it.
    package var executables = false
    /// Only processes that X-Resource reports, never _NET_WM_PID.
    package var confirmedProcesses = false
    /// Requests to activate or close windows: see `takeRequested`.
    package var requests = false
    /// The names of the monitor and the desktop of each window.
    package var places = false

    package init() {}

    /// Returns the facts to read that `old` did not want.
    func facts(new old: Wants) -> StaleFacts {
        var facts: StaleFacts = []
        if titles && !old.titles { facts.insert(.title) }
        if executables && !old.executables || confirmedProcesses != old.confirmedProcesses {
            facts.insert(.process)
        }
        return facts
    }
}

/// The data kept about the window in a slot between reads.
struct WindowNotes {
    var stale: StaleFacts = []
    /// The group leader of a window without a class.
    var leader: UInt32?
    /// The mask of the selected events.
    var events: UInt32 = 0
    var border: Int32 = 0
    /// The process that X-Resource reports, 0 for none.
    var ownerPid: Int32 = 0
    /// _NET_WM_PID, 0 for none.
    var claimedPid: Int32 = 0
    /// Whether WM_STATE was written since the client withdrew the window. Some window managers leave it unchanged.
    var wasStateWritten = false
    /// Whether the title has changed and is not marked as stale yet.
    var isRetitled = false
}

/// The data kept about a screen between reads.
struct ScreenNotes {
    /// The window that _NET_SUPPORTING_WM_CHECK names, verified or not.
    var claimedCheck: UInt32 = 0
    var compositor: UInt32 = 0
    /// Whether the client list or the active window was written since the last window manager was detected.
    var wasRewritten = false
    /// Whether the active window was written since it was last read.
    var wasActiveWindowWritten = false
    /// Whether the active window was written by a window manager that has died since.
    var isActiveWindowStale = false
    /// The check window and its name, once verified.
    var checkWindow: UInt32?
    var name: String?
    /// The child of the root window under the pointer; nil until it is needed.
    var underPointer: UInt32?
    /// The request that read the order of the root window's children; nil after the first later event.
    var stackingRead: UInt32?
    /// Whether XFree86_has_VT is 0.
    var isAway = false
    /// The saver status from _SCREENSAVER_STATUS.
    var saver: Session.SaverStatus?
    /// The monitors and the atoms of their names; empty before RandR 1.5.
    var monitors: [(name: UInt32, area: Rectangle)] = []
    /// _NET_DESKTOP_NAMES.
    var desktopNames: [String] = []
    /// Whether the current pass reads all facts of the screen.
    var isReadWhole = false
}
