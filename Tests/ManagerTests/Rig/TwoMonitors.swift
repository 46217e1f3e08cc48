import TestDesktop

extension VirtualDisplay {
    /// Splits the screen into two RandR monitors, side by side.
    func split() throws {
        // The first monitor takes the only output from the default monitor.
        for monitor in ["left 400/100x600/150+0+0 screen", "right 400/100x600/150+400+0 none"] {
            let words = monitor.split(separator: " ").map(String.init)
            let result = try Program.run(
                "xrandr", ["--setmonitor"] + words, package: "x11-xserver-utils", environment: environment)
            guard result.code == 0 else { throw Failure("xrandr: \(result.errors)") }
        }
    }
}
