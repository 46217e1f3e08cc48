import Console

/// Where files go that outlive the session: `$XDG_STATE_HOME/xphase`, else `$HOME/.local/state/xphase`.
struct StateDirectory {
    let path: String

    init(environment: [String: String]) throws(FileError) {
        // The base directory specification has relative paths ignored.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            path = "\(state)/xphase"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            path = "\(home)/.local/state/xphase"
        } else {
            throw .noHome
        }
    }
}
