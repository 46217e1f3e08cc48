import CXPipeline
import Scenes

/// The host that the display's own clients run on.
struct Host {
    /// What WM_CLIENT_MACHINE must say for a _NET_WM_PID to be believed.
    let name: [UInt8]
    /// The name of the program that a process of this host runs; nil if there is none.
    let executable: (Int32) -> String?
    /// Whether a process of this host may have another host name than `name`, as in a sandbox.
    let isRenamed: (Int32) -> Bool
}

/// The reads on their way, and what belongs to them.
struct Reading {
    var pass = ReadPass()
    /// Of those since everything was last current.
    var passCount = 0
    /// How many answers have come.
    var answerCount = 0
    var isInterrupted = false
    /// The number of the last request whose answer is known to be taken in.
    var upTo: UInt32 = 0
    /// The search for the focus that the answers on their way belong to.
    var focusSearch = Stale.FocusSearch.done
    /// The children of the root windows, while their search goes on.
    var topLevels: Set<UInt32> = []
    /// Of the found window whose other answers come next.
    var foundAttributes: xcb_get_window_attributes_reply_t?
}

/// What is remembered of the known windows.
struct KnownWindows {
    /// In the slots of the windows.
    var notes: [WindowNotes] = []
    /// By frame of the window manager: the client windows in it.
    var framed: [UInt32: Set<UInt32>] = [:]
    var lastGeneration: UInt32 = 0
    /// The names of monitors by their atoms.
    var atomNames: [UInt32: String] = [:]
}

/// What is remembered of the windows that may cover others, or be covered.
struct OcclusionNotes {
    /// What is read and followed of them.
    var facts: [UInt32: SurfaceFacts] = [:]
    /// The screens when it was last judged which windows cover others.
    var judgedScreens: [Scenes.Screen] = []
}

/// What is remembered of the session.
struct SessionNotes {
    /// What is read and followed besides windows, the focus and the window manager.
    var options = SessionOptions(states: [])
    /// A window that no window manager manages was followed at some time.
    var hasLockerCandidates = false
    /// The clients of large windows that no window manager manages, by their base of resource ids.
    var lockerClients: Set<UInt32> = []
    /// What tells whether the display is off.
    var display = DisplayFacts()
    /// IDLETIME of SYNC, once it was found.
    var idleCounter: UInt32?
    /// nil while idle times are not wanted, or cannot be reported.
    var idleAlarms: IdleAlarms?
    var ages = SessionAges()
}

/// What is remembered of the input focus.
struct FocusNotes {
    /// It was in the window under the pointer at some time, so that windows report where the pointer goes.
    var followsPointer = false
    /// What XGetInputFocus said, and the windows around that up to the first known one.
    var path: [UInt32] = []
}

/// What has come and is not handed on yet.
struct News {
    /// The slots of which anything is new since `takeTouched`; nil for all of them.
    var touched: [Int32]?
    /// A fact came with an event, so that there is nothing to read.
    var hasChanged = false
    /// Windows came to be known since the focus was looked for.
    var hasAdopted = false
    /// The slots of windows that got other titles.
    var retitled: [Int32] = []
    static let mostRequested = 64
    /// The windows that somebody asked the window manager to activate or to close.
    var requested: Set<UInt32> = []
    /// Buttons and keys, while they are grabbed; nil otherwise.
    var inputs: [cxp_event]?
}

/// What is read of windows, and noted, beside what their phases need.
package struct Wants: Equatable {
    /// Titles of windows that have another name. Browsers and terminals write theirs often.
    package var titles = true
    /// The program that a process executes, also where nothing is named by it.
    package var executables = false
    /// The process of a window is the one that X-Resource names as its client's, whatever its _NET_WM_PID is.
    package var confirmedProcesses = false
    /// Requests to activate or close windows: see `takeRequested`.
    package var requests = false
    /// On which monitor and desktop windows are, by name.
    package var places = false

    package init() {}

    /// What is to be read because of it that `old` did not want.
    func facts(new old: Wants) -> StaleFacts {
        var facts: StaleFacts = []
        if titles && !old.titles { facts.insert(.title) }
        if executables && !old.executables || confirmedProcesses != old.confirmedProcesses {
            facts.insert(.process)
        }
        return facts
    }
}

/// What is remembered of the window in a slot between two reads of it.
struct WindowNotes {
    var stale: StaleFacts = []
    /// The events that were asked for.
    var events: UInt32 = 0
    var border: Int32 = 0
    /// _NET_WM_PID, 0 for none.
    var claimedPid: Int32 = 0
    /// WM_CLIENT_MACHINE is another one than this host.
    var isElsewhere = false
    /// WM_STATE was written since the client withdrew the window: some managers leave it as it was.
    var wasStateWritten = false
    /// Its title has changed, and is not marked as stale yet.
    var isRetitled = false
}

/// What is remembered of a screen between two reads of it.
struct ScreenNotes {
    /// What _NET_SUPPORTING_WM_CHECK names, true or not.
    var claimedCheck: UInt32 = 0
    var compositor: UInt32 = 0
    /// A list or the active window were written since the last window manager was noted.
    var wasRewritten = false
    /// The active window was written since it was last read.
    var wasActiveWindowWritten = false
    /// The active window was written by a window manager that has died since.
    var isActiveWindowStale = false
    /// The check window and name that were found to be true.
    var checkWindow: UInt32?
    var name: String?
    /// The child of the root window that the pointer is on; nil while nobody wants to know.
    var underPointer: UInt32?
    /// The request by which the order of the root window's children was read, until an event from after it came.
    var stackingRead: UInt32?
    /// XFree86_has_VT is 0.
    var isAway = false
    /// What _SCREENSAVER_STATUS says.
    var saver: Session.SaverStatus?
    /// The monitors by the atoms of their names; none before RandR 1.5.
    var monitors: [(name: UInt32, area: Rectangle)] = []
    /// _NET_DESKTOP_NAMES.
    var desktopNames: [String] = []
    /// Everything was asked for in the pass whose answers come in.
    var isReadWhole = false
}
