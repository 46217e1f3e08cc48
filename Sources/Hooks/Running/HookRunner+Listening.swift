import PhaseWatch
import System

/// What is sent to frozen applications: a window manager asks one to close its window, or a key comes that it has grabbed,
/// which holds up the whole keyboard until it answers.
extension HookRunner {
    private static let deaf = "the connection that notices messages was lost"

    var frozenApplications: Set<String> {
        Set(schedule.owedJobs.filter(isFrozen).map(\.subject.application))
    }

    /// Listens to the events of frozen applications; closes the connection where there are none.
    ///
    /// - Parameter application: One that is about to be frozen.
    func listen(to application: String? = nil) throws {
        let applications = frozenApplications.union([application].compactMap(\.self))
        let windows = Set(applications.flatMap(firstSeen.windows))
        if windows == listener?.windows ?? [] { return }
        let former = listener
        listener = windows.isEmpty ? nil : try context.listener(to: windows)
        if let listener {
            loop.watch(listener.fileDescriptor)
        } else if !windows.isEmpty {
            remark("messages and grabbed keys do not thaw frozen applications: the X server has no RECORD")
        }
        guard let former else { return }
        loop.forget(former.fileDescriptor)
        // Only now, so that nothing is sent between the two.
        takeMessages(of: former)
    }

    /// A further connection is made for each application that is frozen, and for none that is thawed: that is listened to
    /// until something comes for it.
    func stopListeningToNobody() {
        if listener != nil && frozenApplications.isEmpty { try? listen() }
    }

    func takeMessages() {
        guard let listener else { return }
        do {
            if takeMessages(of: listener) { try listen() }
        } catch {
            stopListening()
        }
    }

    /// - Returns: Whether there were any.
    @discardableResult
    private func takeMessages(of listener: ClientListener) -> Bool {
        do {
            let addressed = firstSeen.applications(of: try listener.takeAddressed())
            thaw(addressed.intersection(frozenApplications))
            return !addressed.isEmpty
        } catch {
            stopListening()
            return false
        }
    }

    /// Nothing stays frozen that would not notice what is sent to it; what still may be is frozen again later.
    private func stopListening() {
        if let listener { loop.forget(listener.fileDescriptor) }
        listener = nil
        thaw(frozenApplications, because: Self.deaf)
    }
}
