extension PhasesInterface {
    public static let name = "org.xphase.Phases"

    public static let description = """
        # In which phase each application, group and scene on an X display is.
        interface org.xphase.Phases

        type Counts (active: int, inactive: int, background: int)

        # The keys and values of 'xphase watch --json'. A notice has v, seq, time, kind, notice and text only.
        type Change (
          v: int,
          seq: ?int,
          time: string,
          kind: string,
          change: ?string,
          application: ?string,
          group: ?string,
          scene: ?string,
          from: ?string,
          to: ?string,
          cause: ?string,
          held: ?float,
          title: ?string,
          pid: ?int,
          desktop: ?int,
          role: ?string,
          scenes: ?Counts,
          pids: ?[]int,
          notice: ?string,
          text: ?string
        )

        # application: patterns for class and instance names; level: application, group, scene (default: application);
        # phase: only changes to these phases; titles: changes of titles, too; initial: false for no changes of the
        # kind initial, which report what is there at the start.
        type Filter (application: ?[]string, level: ?[]string, phase: ?[]string, titles: ?bool, initial: ?bool)

        # Everything that is there now.
        method List(filter: ?Filter) -> (rows: []Change)

        # With more: what is there, then each change. A client with 1 MiB to read gets no more until it has read
        # that, then a notice named resync, and everything that is there.
        method Watch(filter: ?Filter) -> (change: Change)

        # The scene that has the focus. With more: again whenever it changes, or its title.
        method Active() -> (active: ?Change)

        # Replies when all phases are reported that what the X server had done before the call leads to.
        method Sync() -> ()

        # 256 connections wait for replies: another one would be too many.
        error TooManyConnections ()

        """
}
