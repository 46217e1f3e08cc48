// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "gtk-phase",
    dependencies: [.package(name: "xphase", path: "../../..", traits: [])],
    targets: [
        .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .executableTarget(
            name: "GTKPhase", dependencies: ["CGTK", .product(name: "PhaseWatch", package: "xphase")]),
    ],
    swiftLanguageModes: [.v6]
)
