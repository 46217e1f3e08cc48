import Loop
import PhaseWatch

/// What is sent to frozen applications: a window manager asks one to close its window, or a key comes that it has grabbed,
/// which holds up the whole keyboard until it answers.
extension HookRunner {
    private static let addressed = "another client, or a key that it has grabbed, asks for it"

    func isFrozen(_ job: Job) -> Bool { owed.holds(of: job).contains(where: \.isFreeze) }

    private var frozenApplications: Set<String> {
        Set(schedule.owedJobs.filter(isFrozen).map(\.subject.application))
    }

    /// Listens to what is sent to frozen applications, and to nobody while there are none.
    ///
    /// - Parameter application: One that is about to be frozen.
    func listen(to application: String? = nil) {
        let applications = frozenApplications.union([application].compactMap(\.self))
        let windows = Set(applications.flatMap(firstSeen.windows))
        if windows == listener?.windows ?? [] { return }
        if let listener { loop.forget(listener.fileDescriptor) }
        listener = nil
        if windows.isEmpty { return }
        do {
            listener = try context.listener(to: windows)
            if listener == nil {
                remark("what is frozen does not notice messages, since the X server has no RECORD")
            }
        } catch {
            remark("what is frozen does not notice messages: \(error)")
        }
        if let listener { loop.watch(listener.fileDescriptor) }
    }

    /// Each further application is another connection, so that one that was thawed stays until something comes for it.
    func stopListeningToNobody() {
        if listener != nil && frozenApplications.isEmpty { listen() }
    }

    func takeMessages() {
        guard let listener else { return }
        do {
            let addressed = firstSeen.applications(of: try listener.takeAddressed())
            thaw(addressed.intersection(frozenApplications), because: Self.addressed)
            if !addressed.isEmpty { listen() }
        } catch {
            // The watch has lost its connection, too, or makes another one with the next freeze.
            loop.forget(listener.fileDescriptor)
            self.listener = nil
        }
    }
}
