/** The programs that try the chart, from our cache or built with Go. */
import path from 'node:path';
import { goTool } from '../../toolchain/cached-tool.ts';
import { toolCache, type Environment } from '../../toolchain/environment.ts';
import { findTool } from '../../toolchain/find-tool.ts';
import { findPythonPackages } from '../../toolchain/python-packages.ts';

interface Pin {
  readonly version: string;
  readonly module: string;
}

const HELM: Pin = { version: '4.3.1', module: 'helm.sh/helm/v4/cmd/helm' };
const KUBE_SCORE: Pin = { version: '1.20.0', module: 'github.com/zegl/kube-score/cmd/kube-score' };

const report = () => undefined;

/** Returns the path of Helm. Throws `ToolNotFoundError`, like the others. */
export const findHelm = (env: Environment) => findGoTool('helm', HELM, env);
export const findKubeScore = (env: Environment) => findGoTool('kube-score', KUBE_SCORE, env);

export function findGoTool(program: string, pin: Pin, env: Environment): Promise<string> {
  const folder = path.join(toolCache(env), `${program}-${pin.version}`);
  const { fromCache, fromGo } = goTool({ ...pin, program, folder, env, report });
  return findTool({ tool: program, ways: [fromCache, fromGo], advice: 'Install Go and try again.', report });
}

/** Returns the command that checks manifests by the schemas of Kubernetes, of many versions. Throws `InstallError`. */
export async function findKubernetesValidate(env: Environment): Promise<readonly [string, ...string[]]> {
  const requirements = path.join(import.meta.dirname, 'requirements.txt');
  const bin = await findPythonPackages({ name: 'kubernetes-validate', requirements, env, report });
  return [path.join(bin, 'python'), '-m', 'kubernetes_validate'];
}
