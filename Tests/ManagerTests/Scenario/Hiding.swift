/// Windows are hidden in all ways that leave them managed.
extension Step {
    static let iconifying: [Step] = [
        .focus("alpha"),
        .hide(.iconify, "alpha", cause: "iconify"), .show(.deiconify, "alpha", cause: "deiconify"),
        .focus("alpha"),
        .hide(.iconify, "beta", cause: "iconify"), .show(.deiconify, "beta", cause: "deiconify"),
        .focus("alpha"),
    ]

    static let desktops: [Step] = [
        .hide(.leaveDesktop, "alpha", cause: "desktop"), .show(.returnToDesktop, "alpha", cause: "desktop"),
        .focus("alpha"),
        .hide(.moveAway, "alpha", cause: "desktop"),
        .hide(.leaveDesktop, "beta", cause: "desktop"), .show(.returnToDesktop, "beta", cause: "desktop"),
        .show(.moveBack, "alpha", cause: "desktop"),
        .focus("alpha"),
        .wish(.stick, "alpha"),
        Step(
            "leave the desktop of a sticky window", needs: [.leaveDesktop, .stick],
            isDone: { !$0.isVisible("beta") && $0.isVisible("alpha") },
            act: { try $0.ask(.leaveDesktop, "alpha") }),
        Step(
            "return to the desktop of a sticky window", needs: [.returnToDesktop, .stick],
            isDone: { $0.isVisible("beta") }, act: { try $0.ask(.returnToDesktop, "alpha") }),
        .wish(.unstick, "alpha"),
        .focus("alpha"),
    ]

    static let showingDesktop: [Step] = [
        .hide(.showDesktop, "alpha", cause: "show-desktop"),
        .show(.hideDesktop, "alpha", cause: "show-desktop"),
        .focus("alpha"),
        .hide(.shade, "alpha", cause: "shade"), .show(.unshade, "alpha", cause: "shade"),
        .focus("alpha"),
    ]
}
