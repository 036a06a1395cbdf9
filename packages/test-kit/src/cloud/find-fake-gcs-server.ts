/** The sources of fake-gcs-server, in this order: our cache; `go install`. */
import path from 'node:path';
import { goTool } from '../toolchain/cached-tool.ts';
import { toolCache, type Environment } from '../toolchain/environment.ts';
import { findTool } from '../toolchain/find-tool.ts';
import type { Report } from '../toolchain/report.ts';

const FAKE_GCS_SERVER = {
  program: 'fake-gcs-server',
  version: '1.56.1',
  module: 'github.com/fsouza/fake-gcs-server',
} as const;

export interface FakeGcsServerSearch {
  readonly env: Environment;
  readonly report: Report;
  /** Ends the search early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Finds or builds the server and returns its path. Throws `ToolNotFoundError`, which says why each way failed. */
export async function findFakeGcsServer({ env, report, signal }: FakeGcsServerSearch): Promise<string> {
  const folder = path.join(toolCache(env), `${FAKE_GCS_SERVER.program}-${FAKE_GCS_SERVER.version}`);
  const { fromCache, fromGo } = goTool({ ...FAKE_GCS_SERVER, folder, env, report, signal });
  return findTool({
    tool: 'fake-gcs-server',
    ways: [fromCache, fromGo],
    advice: 'Install Go 1.26 or newer and try again.',
    report,
    signal,
  });
}
