/**
 * The sources of Prometheus and promtool for tests, in this order: PATH; our cache; Debian's package, unpacked into the cache and not
 * installed. No registry of Go builds Prometheus: its module replaces others.
 */
import path from 'node:path';
import { unpackDebianPackage } from '../toolchain/debian-package.ts';
import { toolCache, type Environment } from '../toolchain/environment.ts';
import { findTool, type Attempt, type Way } from '../toolchain/find-tool.ts';
import { exists, installOnce } from '../toolchain/install-once.ts';
import { probe } from '../toolchain/probe.ts';
import { withElapsed, type Report } from '../toolchain/report.ts';

/** The paths of the two programs. */
export interface PrometheusTools {
  readonly prometheus: string;
  readonly promtool: string;
}

/** Debian 12 has it. */
const OLDEST = '2.42.0';

const PACKAGE = { name: 'prometheus', programs: ['usr/bin/prometheus', 'usr/bin/promtool'] };

/** Throws `ToolNotFoundError`, which says why each way failed. */
export async function findPrometheus(env: Environment, report: Report): Promise<PrometheusTools> {
  const folder = path.join(toolCache(env), 'prometheus-debian');
  const prometheus = await findTool({
    tool: 'Prometheus',
    ways: [fromPath(env), fromCache(folder, env), fromDebian(folder, env, report)],
    advice: `Put prometheus and promtool ${OLDEST} or newer on PATH, or use Debian.`,
    report,
  });
  return { prometheus, promtool: path.join(path.dirname(prometheus), 'promtool') };
}

function fromPath(env: Environment): Way {
  return { title: 'PATH', attempt: () => probePrometheus('prometheus', env) };
}

function fromCache(folder: string, env: Environment): Way {
  return { title: 'the cache', attempt: () => lookUp(folder, env) };
}

async function lookUp(folder: string, env: Environment): Promise<Attempt> {
  const file = path.join(folder, 'prometheus');
  if (!(await exists(file))) return { kind: 'not-found', why: `nothing at ${file}`, isAbsent: true };
  return probePrometheus(file, env);
}

function fromDebian(folder: string, env: Environment, report: Report): Way {
  return {
    title: "Debian's package",
    async attempt() {
      await withElapsed(report, 'fetching Prometheus', () =>
        installOnce({
          folder,
          report,
          install: (staging) => unpackDebianPackage({ ...PACKAGE, folder: staging, env }),
        }),
      );
      return lookUp(folder, env);
    },
  };
}

function probePrometheus(program: string, env: Environment): Promise<Attempt> {
  return probe({ program, arguments: ['--version'], version: /version (\d+\.\d+\.\d+)/, oldest: OLDEST, env });
}
