/** The Temporal CLI, and with it the dev server, of the local stack and of the tests. */
export const TEMPORAL_CLI = {
  /** The newest version that `go install` builds, for where nothing can be downloaded. */
  version: '1.5.1',
  module: 'github.com/temporalio/cli/cmd/temporal',
  /** The server inside a CLI that is installed already; older ones do not know every flag that we start it with. */
  oldestServer: '1.29.0',
  /** `{platform}` stands for Go's name of the machine. */
  archive: 'https://github.com/temporalio/cli/releases/download/v1.5.1/temporal_cli_1.5.1_{platform}.tar.gz',
  /** Of the archives, as published. */
  sha256: {
    linux_amd64: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
    linux_arm64: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
    darwin_amd64: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
    darwin_arm64: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
  },
} as const;
