/** Go's name of this machine, such as `linux_amd64`, as vendors use it in the names of archives. */
export function goPlatform(): string {
  const { platform, arch } = process;
  return `${platform}_${GO_ARCHITECTURES[arch] ?? arch}`;
}

const GO_ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', ia32: '386' };
