/** Go's name of this machine, such as `linux_amd64`, as vendors use it in the names of archives. */
export function goPlatform(platform: string = process.platform, arch: string = process.arch): string {
  return `${platform}_${GO_ARCHITECTURES[arch] ?? arch}`;
}

const GO_ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', ia32: '386' };
