/** The Temporal of everything here: the images, the server on PostgreSQL, and the dev server of the local stack and the tests. */

/** Of docker-compose.yml, the guides and every server that Go builds. */
export const TEMPORAL_SERVER = '1.32.0';

/** The web UI that Temporal's own CLI has beside that server. */
export const TEMPORAL_UI = '2.54.1';

/** The oldest Go that builds them, from the server's go.mod. */
export const GO_OF_TEMPORAL = '1.26.8';

/** The CLI that carries them, for machines that can download it. `{platform}` stands for Go's name of the machine. */
export const TEMPORAL_CLI = {
  version: '1.9.1',
  archive: 'https://github.com/temporalio/cli/releases/download/v1.9.1/temporal_cli_1.9.1_{platform}.tar.gz',
  /** Of the archives whose sum others have published too; elsewhere Go builds our own dev server. */
  sha256: { linux_amd64: '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5' },
} as const;
