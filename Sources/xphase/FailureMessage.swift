import PhaseWatch

extension PhaseMonitor.Failure {
    /// What it is on a command line.
    var message: String {
        switch self {
        case .cannotOpenDisplay(""):
            "DISPLAY is not set: run inside an X session or pass --display"
        case .cannotOpenDisplay(let name):
            "cannot open display '\(name)': check that an X server runs there and that this user may use it "
                + "(echo $DISPLAY in a terminal of the session; xauth list), or pass --display"
        case .displayLost, .displaySilent, .noConnectionOfXCB, .system:
            description
        }
    }

    var exitCode: Int32 {
        if case .system = self { Exit.system } else { Exit.noDisplay }
    }
}
