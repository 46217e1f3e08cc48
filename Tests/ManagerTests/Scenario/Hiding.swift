/// Windows are hidden in all ways that leave them managed.
extension Step {
    static let iconifying: [Step] = [
        .focus("alpha"),
        .hide(.iconify, "alpha"), .show(.deiconify, "alpha"),
        .focus("alpha"),
        .hide(.iconify, "beta"), .show(.deiconify, "beta"),
        .focus("alpha"),
    ]

    static let desktops: [Step] = [
        .hide(.leaveDesktop, "alpha"), .show(.returnToDesktop, "alpha"),
        .focus("alpha"),
        .hide(.moveAway, "alpha"),
        Step(
            "show the desktop that alpha is on", needs: [.leaveDesktop, .moveAway], hiding: .leaveDesktop,
            isDone: { !$0.isVisible("beta") && $0.isVisible("alpha") },
            act: { try $0.ask(.leaveDesktop, "alpha") }),
        .hide(.takeBack, "alpha"), .show(.returnToDesktop, "beta"), .focus("beta"),
        Step(
            "move alpha to a hidden desktop", needs: [.moveAway, .takeBack, .moveBack], hiding: .moveAway,
            isDone: { !$0.isVisible("alpha") }, act: { try $0.ask(.moveAway, "alpha") }),
        .show(.moveBack, "alpha"),
        .focus("alpha"),
        .request(.stick, "alpha"),
        Step(
            "leave the desktop of a sticky window", needs: [.leaveDesktop, .stick], hiding: .leaveDesktop,
            isDone: { !$0.isVisible("beta") && $0.isVisible("alpha") },
            act: { try $0.ask(.leaveDesktop, "alpha") }),
        Step(
            "return to the desktop of a sticky window", needs: [.returnToDesktop, .stick],
            hiding: .leaveDesktop,
            isDone: { $0.isVisible("beta") }, act: { try $0.ask(.returnToDesktop, "alpha") }),
        .request(.unstick, "alpha"),
        .focus("alpha"),
    ]

    static let showingDesktop: [Step] = [
        .hide(.showDesktop, "alpha"),
        .show(.hideDesktop, "alpha"),
        .focus("alpha"),
        .hide(.shade, "alpha"), .show(.unshade, "alpha"),
        .focus("alpha"),
    ]
}
