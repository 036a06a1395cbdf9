/**
 * The conftest that is installed where there is none. It publishes sums and no signature of them, so the sums stand here: a
 * release that was exchanged is refused. A platform without a sum needs a conftest in PATH.
 */
export const CONFTEST = {
  version: '0.66.0',
  archive:
    'https://github.com/open-policy-agent/conftest/releases/download/v0.66.0/conftest_0.66.0_Linux_x86_64.tar.gz',
  /** Of the archive, by Go's name of the platform. */
  sha256: { linux_amd64: '7e717adada4ca64e600bdb86b789cbcc279215b3296e238bc291acbb81361d6f' },
} as const;
