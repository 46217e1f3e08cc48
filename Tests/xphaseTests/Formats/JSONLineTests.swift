import PhaseWatch
import Testing

@testable import Scenes
@testable import System
@testable import xphase

@Suite struct JSONLineTests {
    /// Missing facts are null, not omitted.
    @Test func eachIsALineOfTheContract() {
        let scene = #""application":"Firefox","group":"Navigator","scene":"0x2c00007","#
        let hidden = #""from":"active","to":"background","cause":"iconify","held":252.114,"#
        let opened = Change.sampleGroup.with {
            ($0.kind, $0.from, $0.cause, $0.held) = (.opened, nil, .open, nil)
        }
        let closed = Change.sampleApplication.with {
            ($0.kind, $0.from, $0.to, $0.cause) = (.closed, .background, nil, .close)
            $0.subject = .application(.init(counts: .init(active: 1), pids: [], groups: ["a"]))
        }
        for (event, line) in [
            (
                .change(.sampleApplication),
                #""kind":"application","change":"phase","application":"Firefox",\#(hidden)"#
                    + #""scenes":{"active":0,"inactive":0,"background":2},"pids":[2131]}"#
            ),
            (
                .change(closed),
                #""kind":"application","change":"closed","application":"Firefox","from":"background","to":null,"#
                    + #""cause":"close","held":252.114,"scenes":{"active":1,"inactive":0,"background":0},"pids":[]}"#
            ),
            (
                .change(opened),
                #""kind":"group","change":"opened","application":"Firefox","group":"Navigator","#
                    + #""from":null,"to":"inactive","cause":"open","held":null,"#
                    + #""scenes":{"active":0,"inactive":1,"background":2},"pids":[2131,2140]}"#
            ),
            (
                .change(.sampleScene),
                #""kind":"scene","change":"phase",\#(scene)\#(hidden)"title":"Inbox","pid":2131,"desktop":0,"#
                    + #""role":"browser","monitor":"DP-1","desktop_name":"mail","extent":"maximized"}"#
            ),
            (
                .change(.bareScene),
                #""kind":"scene","change":"initial",\#(scene)"from":null,"to":"inactive","cause":"start","#
                    + #""held":null,"title":null,"pid":null,"desktop":null,"#
                    + #""role":null,"monitor":null,"desktop_name":null,"extent":"window"}"#
            ),
            (
                .notice(.sample),
                #""kind":"notice","notice":"window-manager","text":"openbox went away; phases are frozen"}"#
            ),
            (
                .notice(.session(.unlocked)),
                #""kind":"notice","notice":"session","text":"unlocked","cause":"unlock"}"#
            ),
            (
                .notice(.session(.dropped(.lock))),
                #""kind":"notice","notice":"session","text":"lock: no longer followed: the options changed","#
                    + #""cause":null}"#
            ),
        ] as [(Event, String)] {
            let start = #"{"v":1,"seq":7,"time":"2026-11-20T11:03:41.207113Z","#
            #expect(LineFormat.json.text(event) == start + line + "\n")
        }
    }
}
