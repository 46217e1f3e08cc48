// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "own-phases",
    dependencies: [.package(name: "xphase", path: "../../..", traits: [])],
    targets: [
        .systemLibrary(name: "CWindow", pkgConfig: "x11", providers: [.apt(["libx11-dev"])]),
        .executableTarget(
            name: "OwnPhases", dependencies: ["CWindow", .product(name: "PhaseWatch", package: "xphase")]),
    ],
    swiftLanguageModes: [.v6]
)
