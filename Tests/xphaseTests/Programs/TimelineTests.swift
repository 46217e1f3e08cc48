import Glibc
import TestDesktop
import Testing

extension ProgramTests {
    /// Timelines as a browser renders them.
    @Suite struct TimelineTests {
        private let home: HookHome

        init() throws {
            home = try HookHome()
            try home.writeJournal(
                "2025-11-22",
                [
                    Self.line(
                        "start", 10, #","v":1,"display":":0","pid":1,"ticks":1,"continued":false"#),
                    Self.application(10, "Alpha", "active", #","title":"<b>&\u001b""#),
                    Self.application(10, "Beta", "inactive"),
                    Self.application(11, "Alpha", "background"), Self.application(11, "Beta", "background"),
                    Self.application(12, "Beta", "active"), Self.application(13, "Beta", "background"),
                    Self.line("stop", 14),
                ].joined(separator: "\n") + "\n")
        }

        private static func line(_ kind: String, _ hour: Int, _ rest: String = "") -> String {
            #"{"kind":"\#(kind)","run":1,"time":"2025-11-22T\#(hour):00:00.000000Z","clock":\#(hour * 3600).000\#(rest)}"#
        }

        private static func application(_ hour: Int, _ name: String, _ phase: String, _ rest: String = "")
            -> String
        {
            line(
                "application", hour, #","application":"\#(name)","instances":["g"],"to":"\#(phase)"\#(rest)"#)
        }

        /// The colours of a screenshot, by position.
        private struct Picture {
            let width: Int
            let bytes: ArraySlice<UInt8>

            init(_ path: String) throws {
                var bytes: [UInt8] = []
                let file = open(path, O_RDONLY)
                defer { close(file) }
                var chunk = [UInt8](repeating: 0, count: 1 << 16)
                while case let count = read(file, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
                // The header: P6, width, height and 255.
                let words = bytes.prefix(32).split(maxSplits: 4) { [0x20, 0x0A].contains($0) }
                try #require(words.count == 5 && words[0].elementsEqual("P6".utf8))
                width = try #require(Int(String(decoding: words[1], as: UTF8.self)))
                self.bytes = bytes[words[4].startIndex...]
            }

            func colour(_ x: Int, _ y: Int) -> Int {
                let start = bytes.startIndex + 3 * (y * width + x)
                return bytes[start..<start + 3].reduce(0) { $0 << 8 | Int($1) }
            }
        }

        private func picture(isDark: Bool) throws -> Picture {
            let report = try Program.run(
                XPhase.path,
                [
                    "report", "--since", "2025-11-22 10:00", "--until", "2025-11-22 14:00", "--force",
                    "--svg",
                    "\(home.path)/a.svg",
                ],
                environment: home.environment.merging(["TZ": "UTC"]) { $1 })
            #expect(report.code == 0 && report.errors == [], "\(report.errors)")
            let scheme = isDark ? ["--blink-settings=preferredColorScheme=0"] : []
            let browser = try Program.run(
                "chromium",
                [
                    "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    "--user-data-dir=\(home.path)/browser", "--window-size=820,156",
                    "--force-device-scale-factor=2",
                    "--screenshot=\(home.path)/a.png",
                ] + scheme + ["file://\(home.path)/a.svg"], package: "chromium", environment: home.environment
            )
            #expect(home.exists("a.png"), "\(browser.errors)")
            let converted = try Program.run(
                "sh", ["-c", "convert \"$0\" ppm:- >\"$1\"", "\(home.path)/a.png", "\(home.path)/a.ppm"],
                package: "imagemagick")
            #expect(converted.code == 0, "\(converted.errors) (apt-get install imagemagick)")
            return try Picture("\(home.path)/a.ppm")
        }

        /// Phases differ in colour and height; each is sampled near its top and just above it.
        @Test(arguments: [
            (false, 0xFFFFFF, 0x0072B2, 0x7FB8DC, 0x999999), (true, 0x14171A, 0x56B4E9, 0x3A6F94, 0x6B737B),
        ])
        func aBrowserShowsItInTheColoursOfItsScheme(
            _ isDark: Bool, _ page: Int, _ active: Int, _ inactive: Int, _ background: Int
        ) throws {
            let picture = try picture(isDark: isDark)
            // Samples lie before the middles of the four hours, which have lines. Beta has the first row: both were active
            // for an hour, but only Beta was inactive.
            let hours = [410, 650, 890, 1130]
            func colours(_ y: Int) -> [Int] { hours.map { picture.colour($0, y) } }
            let (beta, alpha) = (164, 208)
            #expect(colours(beta + 4) == [page, page, active, page])
            #expect(colours(beta + 18) == [inactive, page, active, page])
            #expect(colours(beta + 30) == [inactive, background, active, background])
            #expect(colours(alpha + 4) == [active, page, page, page])
            #expect(colours(alpha + 30) == [active, background, background, background])
            // Names are on the left, totals on the right.
            #expect((12..<70).contains { picture.colour($0, beta + 18) != page })
            #expect((1290..<1400).contains { picture.colour($0, beta + 18) != page })
        }
    }
}
