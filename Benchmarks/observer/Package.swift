// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "observer",
    dependencies: [.package(name: "xphase", path: "../..")],
    targets: [
        .executableTarget(name: "observer", dependencies: [.product(name: "PhaseWatch", package: "xphase")])
    ],
    swiftLanguageModes: [.v6]
)
