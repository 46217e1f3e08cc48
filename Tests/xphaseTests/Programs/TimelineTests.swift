import TestDesktop
import Testing

extension ProgramTests {
    /// Timelines as a browser renders them.
    @Suite struct TimelineTests {
        /// Phases differ in colour and height; each is sampled near its top and just above it.
        @Test(arguments: [
            (false, 0xFFFFFF, 0x0072B2, 0x7FB8DC, 0x999999), (true, 0x14171A, 0x56B4E9, 0x3A6F94, 0x6B737B),
        ])
        func aBrowserShowsATimelineInTheColoursOfItsScheme(
            _ isDark: Bool, _ page: Int, _ active: Int, _ inactive: Int, _ background: Int
        ) throws {
            let home = try HookHome()
            let hours = [
                (0, "Alpha", "active"), (0, "Beta", "inactive"), (1, "Alpha", "background"),
                (1, "Beta", "background"), (2, "Beta", "active"), (3, "Beta", "background"), (4, "stop", nil),
            ]
            try home.writeDay(hours.map { ($0 * 3600, $1, $2) }, title: #"<b>&\u001b"#)
            let environment = home.environment.merging(["TZ": "UTC"]) { $1 }
            let times = ["--since", "2025-11-22 10:00", "--until", "2025-11-22 14:00"]
            let report = try XPhase.run(
                ["report", "--svg", "\(home.path)/a.svg"] + times, on: nil, environment: environment)
            #expect(report.code == 0 && report.errors == [], "\(report.errors)")
            let options = """
                --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=820,156
                --force-device-scale-factor=2 --user-data-dir=\(home.path)/browser
                --screenshot=\(home.path)/a.png \(isDark ? "--blink-settings=preferredColorScheme=0" : "")
                """
            let words = options.split(whereSeparator: \.isWhitespace).map(String.init)
            let browser = try Program.run(
                "chromium", words + ["file://\(home.path)/a.svg"], environment: environment)
            #expect(home.exists("a.png"), "\(browser.errors)")

            // Samples lie before the middles of the four hours, which have lines. Beta has the first row: both were active
            // for an hour, but only Beta was inactive.
            let (beta, alpha) = (164, 208)
            let rows = [
                (beta + 4, [page, page, active, page]), (beta + 18, [inactive, page, active, page]),
                (beta + 30, [inactive, background, active, background]),
                (alpha + 4, [active, page, page, page]),
                (alpha + 30, [active, background, background, background]),
            ]
            let samples = rows.flatMap { row in [410, 650, 890, 1130].map { (x: $0, y: row.0) } }
            // Names are on the left, totals on the right.
            let texts = (Array(12..<70) + Array(1290..<1400)).map { (x: $0, y: beta + 18) }
            let pixels = (samples + texts).map { "%[hex:u.p{\($0.x),\($0.y)}]\n" }.joined()
            let read = try Program.run(
                "convert",
                ["\(home.path)/a.png", "-alpha", "off", "-depth", "8", "-format", pixels, "info:"],
                package: "imagemagick")
            let found = try read.output.filter { !$0.isEmpty }.map { try #require(Int($0, radix: 16)) }
            #expect(Array(found.prefix(samples.count)) == rows.flatMap(\.1))
            let drawn = found.dropFirst(samples.count).map { $0 != page }
            #expect(drawn.prefix(58).contains(true) && drawn.suffix(110).contains(true))
        }
    }
}
