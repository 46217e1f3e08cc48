import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct ServiceReportTests {
    private func change(_ application: String, _ kind: Change.Kind) -> Event {
        .change(
            Change(
                kind: kind, application: application, group: nil,
                subject: .application(Change.Members(counts: Change.Counts(), pids: [], groups: [])),
                from: kind == .closed ? .background : nil, to: kind == .closed ? nil : .active, cause: .open,
                held: nil))
    }

    private func report(_ manager: NotifySocket) throws -> ServiceReport {
        let environment: Environment = ["NOTIFY_SOCKET": manager.address]
        return ServiceReport(try #require(ServiceManager(environment: environment)))
    }

    @Test(arguments: [false, true])
    func theFirstLookMakesItReady(isAbstract: Bool) throws {
        let manager = try NotifySocket(isAbstract: isAbstract)
        let report = try report(manager)
        #expect(manager.next() == nil)
        report.update(with: [change("XTerm", .initial), change("mpv", .initial)], hooks: 3)
        #expect(manager.next() == "READY=1\nSTATUS=3 hooks; 2 applications")
        report.update(with: [], hooks: 3)
        #expect(manager.next() == nil)
    }

    @Test func theStatusFollowsTheApplications() throws {
        let manager = try NotifySocket(isAbstract: true)
        let report = try report(manager)
        report.update(with: [], hooks: 1)
        #expect(manager.next() == "READY=1\nSTATUS=1 hook; no applications")
        report.update(with: [change("XTerm", .opened)], hooks: 1)
        #expect(manager.next() == "STATUS=1 hook; 1 application")
        report.update(with: [change("XTerm", .phase)], hooks: 1)
        #expect(manager.next() == nil)
        report.update(with: [change("XTerm", .closed)], hooks: 1)
        #expect(manager.next() == "STATUS=1 hook; no applications")
    }

    @Test func aReloadIsToldFromItsBeginningToItsEnd() throws {
        let manager = try NotifySocket(isAbstract: true)
        let report = try report(manager)
        report.update(with: [], hooks: 0)
        #expect(manager.next() == "READY=1\nSTATUS=no hooks; no applications")
        report.sendReloading()
        let reloading = try #require(manager.next())
        let time = try #require(reloading.split(separator: "\n").dropFirst().first)
        #expect(reloading.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        let told = try #require(Int64(time.dropFirst("MONOTONIC_USEC=".count)))
        let age = Clock.now() - .microseconds(told)
        #expect(age >= .zero && age < .seconds(10))
        report.update(hooks: 2, areOld: true)
        let status = "STATUS=2 hooks, the old ones: the configuration is wrong; no applications"
        #expect(manager.next() == status)
        report.sendReloaded()
        #expect(manager.next() == "READY=1\n" + status)
        report.sendStopping()
        #expect(manager.next() == "STOPPING=1\n" + status)
    }

    @Test func nobodyIsToldWhereNobodyAsks() throws {
        #expect(ServiceManager(environment: [:]) == nil)
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": ""]) == nil)
        for address in ["/nowhere", "relative", "@" + String(repeating: "x", count: 200)] {
            let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": address]))
            manager.send(["READY=1"], isState: true)
        }
    }

    @Test func aManagerThatDoesNotReadHoldsNothingUpForLong() throws {
        let manager = try NotifySocket(isAbstract: true)
        let report = try report(manager)
        let start = Clock.now()
        for number in 0..<2_000 { report.update(with: [change("\(number)", .opened)], hooks: 1) }
        report.sendStopping()
        #expect(Clock.now() - start < .seconds(10))
    }
}
