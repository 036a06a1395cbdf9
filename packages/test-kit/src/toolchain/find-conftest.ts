/** The sources of conftest for tests, in this order: our cache; the vendor's download with its checksum; `go install`. */
import path from 'node:path';
import { cachedTool } from './cached-tool.ts';
import { toolCache, type Environment } from './environment.ts';
import { findTool } from './find-tool.ts';
import type { Report } from './report.ts';

/** The one that workers install: a test of the worker compares them. */
export const CONFTEST_OF_TESTS = {
  version: '0.66.0',
  module: 'github.com/open-policy-agent/conftest',
  archive:
    'https://github.com/open-policy-agent/conftest/releases/download/v0.66.0/conftest_0.66.0_Linux_x86_64.tar.gz',
  sha256: { linux_amd64: '7e717adada4ca64e600bdb86b789cbcc279215b3296e238bc291acbb81361d6f' },
} as const;

/** Finds or installs conftest and returns its path. Throws `ToolNotFoundError`, which says why each way failed. */
export async function findConftest(env: Environment, report: Report): Promise<string> {
  const folder = path.join(toolCache(env), `conftest-${CONFTEST_OF_TESTS.version}`);
  const cached = cachedTool({ ...CONFTEST_OF_TESTS, program: 'conftest', folder, env, report });
  return findTool({
    tool: 'conftest',
    ways: [cached.fromCache, cached.fromDownload, cached.fromGo],
    advice: 'Install Go and try again.',
    report,
  });
}
