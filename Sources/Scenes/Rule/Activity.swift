/// Which windows are active if they can be seen, and which will be as soon as they can.
struct Activity: Equatable {
    let policy: PhasePolicy
    let focused: FocusChain
    let awaited: FocusChain
    /// The applications that have the focus, where the policy asks for that.
    let applications: Set<String>

    init(_ policy: PhasePolicy, on desktop: Desktop) {
        self.policy = policy
        let focused = desktop.focusChain
        self.focused = focused
        awaited = focused.isEmpty ? desktop.awaitedChain : FocusChain()
        applications =
            policy == .application ? Set(focused.compactMap { desktop.windows[$0]?.application }) : []
    }

    func includes(_ window: SeenWindow) -> Bool {
        switch policy {
        case .focus: focused.contains(window.id.xid)
        case .application: applications.contains(window.application)
        case .visible: true
        }
    }
}
