import PhaseWatch
import Testing

@testable import Scenes
@testable import xphase

/// Error messages for applications that are not there.
@Suite struct NotFoundTests {
    private static func message(_ typed: String, among names: [(group: String, name: String)]) -> String {
        let changes = names.map { group, name in
            Change.sampleGroup.with { ($0.application, $0.group) = (name, group) }
        }
        return CommandFailure.noApplication(typed, among: changes).description
    }

    @Test func theNearestIsNamedOrElseAll() {
        let names = [
            ("Navigator", "firefox-esr"), ("soffice", "libreoffice-writer"),
            ("nautilus", "Org.gnome.Nautilus"), ("mpv", "mpv"), ("evil", "e\u{1B}[2J"),
        ]
        for (typed, near) in [
            ("fierfox", "firefox-esr"), ("firefox", "firefox-esr"), ("Firefox-ers", "firefox-esr"),
            ("navigater", "Navigator"), ("libre", "libreoffice-writer"), ("vpm", nil), ("mpc", "mpv"),
            ("nautlius", "Org.gnome.Nautilus"), ("gnmoe", "Org.gnome.Nautilus"), ("thunderbird", nil),
        ] {
            let all = "running now: Org.gnome.Nautilus, e\\e[2J, firefox-esr, libreoffice-writer, mpv"
            let answer = near.map { "did you mean '\($0)'?" } ?? all
            #expect(
                Self.message(typed, among: names) == "no application matches '\(typed)': \(answer)")
        }
        #expect(Self.message("a", among: []) == "no application matches 'a': no application is running")
        let many = Self.message("thunderbird", among: (1...14).map { ("many", "Many\($0)") })
        #expect(many.hasSuffix("Many4, Many5, Many6, Many7 and 2 more"))
    }
}
