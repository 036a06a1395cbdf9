/** The Temporal CLI of the local stack and the tests, and with it their dev server. */
export const TEMPORAL_CLI = {
  /** The newest version that `go install` builds, for machines that cannot download the archive. */
  version: '1.5.1',
  module: 'github.com/temporalio/cli/cmd/temporal',
  /** For a CLI that is already installed: an older server inside it does not know every flag that we start it with. */
  oldestServer: '1.29.0',
  /** `{platform}` stands for Go's name of the machine. */
  archive: 'https://github.com/temporalio/cli/releases/download/v1.5.1/temporal_cli_1.5.1_{platform}.tar.gz',
  /** The sums of the archives, as published. */
  sha256: {
    linux_amd64: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
    linux_arm64: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
    darwin_amd64: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
    darwin_arm64: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
  },
} as const;
