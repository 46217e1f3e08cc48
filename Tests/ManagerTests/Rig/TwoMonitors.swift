import TestDesktop

extension VirtualDisplay {
    /// Makes two of RandR's monitors of the screen, side by side.
    func split() throws {
        // The first one takes the only output, away from the monitor that exists by default.
        for monitor in ["left 400/100x600/150+0+0 screen", "right 400/100x600/150+400+0 none"] {
            let words = monitor.split(separator: " ").map(String.init)
            let result = try Program.run(
                "xrandr", ["--setmonitor"] + words, package: "x11-xserver-utils", environment: environment)
            guard result.code == 0 else { throw Failure("xrandr: \(result.errors)") }
        }
    }
}
