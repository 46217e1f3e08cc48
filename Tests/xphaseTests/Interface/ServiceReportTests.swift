import Console
import Glibc
import PhaseWatch
import Service
import System
import Testing

@testable import Hooks
@testable import Scenes
@testable import xphase

@Suite struct ServiceReportTests {
    private func change(_ application: String, _ kind: Change.Kind) -> Event {
        .change(
            Change(
                kind: kind, application: application, group: nil,
                subject: .application(Change.Members(counts: Change.Counts(), pids: [], groups: [])),
                from: kind == .closed ? .background : nil, to: kind == .closed ? nil : .active, cause: .open,
                held: nil))
    }

    /// The hooks of a configuration, which a test can change.
    private final class Configuration {
        var hooks: ServiceReport.Hooks
        init(_ count: Int) { hooks = (count, false) }
    }

    private func report(_ manager: NotifySocket, _ configuration: Configuration) throws -> ServiceReport {
        let environment: Environment = ["NOTIFY_SOCKET": manager.address]
        return ServiceReport(try #require(ServiceManager(environment: environment))) { configuration.hooks }
    }

    @Test(arguments: [false, true])
    func theFirstLookMakesItReadyAndTheStatusFollows(isAbstract: Bool) throws {
        let manager = try NotifySocket(isAbstract: isAbstract)
        let configuration = Configuration(1)
        let report = try report(manager, configuration)
        finishTurn(of: report)
        #expect(manager.next() == nil)
        try report.take([change("XTerm", .initial), change("mpv", .initial)], at: .now())
        #expect(manager.next() == "READY=1\nSTATUS=1 hook; 2 applications")
        for (name, kind, status) in [
            ("vim", Change.Kind.opened, "STATUS=1 hook; 3 applications"), ("vim", .phase, nil),
            ("vim", .closed, "STATUS=1 hook; 2 applications"),
            ("mpv", .closed, "STATUS=1 hook; 1 application"),
            ("XTerm", .closed, "STATUS=1 hook; no applications"),
        ] {
            try report.take([change(name, kind)], at: .now())
            finishTurn(of: report)
            #expect(manager.next() == status)
        }
        configuration.hooks = (2, false)
        finishTurn(of: report)
        #expect(manager.next() == "STATUS=2 hooks; no applications")
    }

    @Test func aReloadIsReportedFromItsBeginningToItsEnd() throws {
        let manager = try NotifySocket(isAbstract: true)
        let configuration = Configuration(0)
        let report = try report(manager, configuration)
        try report.take([], at: .now())
        #expect(manager.next() == "READY=1\nSTATUS=no hooks; no applications")
        report.received(SIGHUP)
        let reloading = try #require(manager.next())
        let time = try #require(reloading.split(separator: "\n").dropFirst().first)
        #expect(reloading.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        let reported = try #require(Int64(time.dropFirst("MONOTONIC_USEC=".count)))
        let age = Clock.now() - .microseconds(reported)
        #expect(age >= .zero && age < .seconds(10))
        configuration.hooks = (2, true)
        finishTurn(of: report)
        let status = "STATUS=2 hooks of the old configuration: the new one has errors; no applications"
        #expect(manager.next() == "READY=1\n" + status)
        finishTurn(of: report)
        #expect(manager.next() == nil)
        report.sendStopping()
        #expect(manager.next() == "STOPPING=1\n" + status)
    }

    private func finishTurn(of report: ServiceReport) {
        var requests = WatchRequests()
        report.finishTurn(&requests)
    }

    @Test func nothingIsReportedWhereNobodyAsks() throws {
        #expect(ServiceManager(environment: [:]) == nil)
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": ""]) == nil)
        for address in ["/dev/null/notify", "relative", "@" + String(repeating: "x", count: 200)] {
            let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": address]))
            manager.send(["READY=1"], isState: true)
        }
    }

    @Test func aManagerThatDoesNotReadHoldsNothingUpForLong() throws {
        let manager = try NotifySocket(isAbstract: true)
        let report = try report(manager, Configuration(1))
        let start = Clock.now()
        for number in 0..<2_000 {
            try report.take([change("\(number)", .opened)], at: .now())
            finishTurn(of: report)
        }
        report.sendStopping()
        #expect(Clock.now() - start < .seconds(10))
    }
}
