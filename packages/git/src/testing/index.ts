/** A git server and repositories for tests and benchmarks of this and other workspaces. */
export type { GitFault } from './git-faults.ts';
export { startGitServer, type GitRequest, type GitServer, type GitServerOptions } from './git-server.ts';
export { lfsPointer, type LfsStore } from './lfs-server.ts';
export {
  openTestRepository,
  runTestGit,
  type TestCommit,
  type TestFiles,
  type TestRepository,
} from './test-repository.ts';
export { startTestHost, type TestHost } from './test-host.ts';
