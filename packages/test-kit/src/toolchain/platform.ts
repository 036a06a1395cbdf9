/** Go's names of this machine, as vendors use them in the names of archives: `linux_amd64`. */
export function goPlatform(platform: string = process.platform, arch: string = process.arch): string {
  return `${platform}_${GO_ARCHITECTURES[arch] ?? arch}`;
}

const GO_ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', ia32: '386' };
