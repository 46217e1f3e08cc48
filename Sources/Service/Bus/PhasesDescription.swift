extension PhasesInterface {
    public static let name = "org.xphase.Phases"

    public static let description = """
        # Phases of the applications, groups and scenes on an X display.
        interface org.xphase.Phases

        type Counts (active: int, inactive: int, background: int)

        # The keys and values of 'xphase watch --json'. A notice has v, seq, time, kind, notice and text only, and a cause if
        # it is named session.
        type Change (
          v: int, seq: ?int, time: string, kind: string, change: ?string,
          application: ?string, group: ?string, scene: ?string,
          from: ?string, to: ?string, cause: ?string, held: ?float,
          title: ?string, pid: ?int, desktop: ?int, role: ?string, monitor: ?string, desktop_name: ?string, extent: ?string,
          scenes: ?Counts, pids: ?[]int,
          notice: ?string, text: ?string
        )

        # application: patterns for class and instance names. level: application, group, scene; by default application.
        # phase: only changes to these phases, none of what closes. titles: changes of titles too, and the scenes that
        # come and go; facts: the same of monitors, desktops, extents and roles. initial: false to leave out what is there
        # when a watch begins.
        type Filter (application: ?[]string, level: ?[]string, phase: ?[]string, titles: ?bool, facts: ?bool,
          initial: ?bool)

        # The current state.
        method List(filter: ?Filter) -> (rows: []Change)

        # With more: the current state, then each change. Once 1 MiB is unread, changes are skipped; after the client has
        # caught up, it gets a notice named resync, then the current state.
        method Watch(filter: ?Filter) -> (change: Change)

        # The scene that has the focus, or of the scenes on a monitor the one that had it last; with the policy visible,
        # one of the visible scenes. With more: again whenever it or its title changes.
        method Active(monitor: ?string) -> (active: ?Change)

        # Replies once every change of a phase that earlier events of the X server cause has been reported. It does not
        # wait for windows to be covered, or for the user to be idle, for long enough.
        method Sync() -> ()

        # All 256 connections are busy, or all 128 of one process. The text is for the user, and names the process with the
        # most.
        error TooManyConnections (text: string)

        """
}
