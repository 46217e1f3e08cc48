import TestDesktop

extension Stage {
    /// Returns a display with an active window.
    static func active(_ properties: TestWindow.Properties) throws -> (Stage, TestWindow) {
        let stage = try Stage(.openbox)
        let window = try stage.show(properties)
        try stage.wait(for: properties.className ?? "", "active")
        return (stage, window)
    }

    /// Returns the output of `xphase phase`.
    func phase(_ application: String) throws -> String {
        try XPhase.run(["phase", application], on: display).output.joined(separator: "\n")
    }

    /// Iconifies a window and waits until xphase sees it.
    func hide(_ window: TestWindow, _ application: String) throws {
        window.iconify()
        try wait(for: application, "background")
    }

    /// Activates a window and waits until xphase sees it.
    func focus(_ window: TestWindow, _ application: String) throws {
        window.activate()
        try wait(for: application, "active")
    }

    func wait(for application: String, _ phase: String) throws {
        guard try waitUntil({ try self.phase(application) == phase }) else {
            throw Failure("\(application) does not become \(phase)")
        }
    }
}

extension Program {
    /// Waits until a command with a time limit has read the display, which is when it sets its CLOCK_MONOTONIC timer.
    /// The timer that detects suspends of the machine is always set.
    ///
    /// - Parameter seconds: The minimum time left. The timer may be set for something sooner at first.
    func waitForTimer(ofAtLeast seconds: Int = 0) throws {
        let timers = "/^clockid:/ { isMonotonic = $2 == 1 } /^it_value: [(][^0]/ && isMonotonic"
        let isSet = try waitUntil {
            try Program.run("sh", ["-c", "awk '\(timers)' /proc/\(pid)/fdinfo/*"]).output
                .contains { line in
                    let digits = line.drop { $0 != "(" }.dropFirst().prefix { $0.isNumber }
                    return Int(digits).map { $0 >= seconds } ?? false
                }
        }
        guard isSet else { throw Failure("\(name) has set no timer") }
    }
}
