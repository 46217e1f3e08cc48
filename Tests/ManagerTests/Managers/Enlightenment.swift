extension Manager {
    static let enlightenment = Manager(
        name: "enlightenment", package: "enlightenment", program: "enlightenment",
        // Without this option it asks for a profile first.
        arguments: ["-profile", "standard"],
        files: [
            "compositor": """
            group "Comp_Config" struct {
                value "version" uint: 1;
                value "engine" int: 1;
                value "nofade" uchar: 1;
                value "max_unmapped_time" int: 10800;
                value "min_unmapped_time" int: 300;
                value "first_draw_delay" double: 0.0;
            }

            """
        ],
        // Without this variable it expects to be started by enlightenment_start, which restarts it when it dies.
        variables: ["E_START": "1"],
        companions: [.bus], preparation: enlightenmentProfile,
        methods: [
            .focus: [.click],
            .leaveDesktop: [.keys("alt+F2")], .returnToDesktop: [.keys("alt+F1")],
            .stick: [.keys("ctrl+alt+s")], .unstick: [.keys("ctrl+alt+s")],
            .showDesktop: [.keys("ctrl+alt+d")], .hideDesktop: [.keys("ctrl+alt+d")],
        ],
        cannot: [
            .focusQuickly: "a click takes longer", .startIconic: "it shows the window",
            .unmap: "it releases the window only when that is mapped again",
            .moveAway: "only with its menu", .moveBack: "only with its menu", .takeBack: "only with its menu",
            .replace: "it has no option for that",
        ] + withoutTabs + withoutMonitors,
        causes: [.showDesktop: "iconify"], isSlow: true, startupDialog: "ACPI Error",
        exitsWhenReplaced: false)

    /// Prepares a profile without modules, which open their own windows, and with as few animations as possible.
    private static let enlightenmentProfile = """
        profile={folder}/.e/e/config/standard
        mkdir -p $profile &&
        eet -d /usr/share/enlightenment/data/config/standard/e.cfg config {folder}/profile &&
        sed -i -E 's/("enabled" uchar:) 1/\\1 0/; s/(animate_mode|per_desktop)(" int:) 1/\\1\\2 0/' {folder}/profile &&
        eet -e $profile/e.cfg config {folder}/profile 1 &&
        eet -e $profile/e_comp.cfg config {folder}/compositor 1
        """
}
