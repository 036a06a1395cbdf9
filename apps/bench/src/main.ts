/** `main.ts [discovery|deployments|presentation]…`: measures those, or all. */
import { benchDeployments } from './deployments.ts';
import { benchDiscovery } from './discovery.ts';
import { benchPresentation } from './presentation.ts';

const BENCHES = {
  async discovery(): Promise<readonly string[]> {
    const { discoveryMs, cloneMs, ratio, coldMs, modified, roots } = await benchDiscovery(process.env);
    return [
      `warm discovery, ${roots} roots, ${modified} modified: ${discoveryMs.toFixed(0)} ms (cold: ${coldMs.toFixed(0)} ms)`,
      `git clone --depth 5 of the same repository: ${cloneMs.toFixed(0)} ms`,
      `discovery is ${ratio.toFixed(1)} times faster`,
    ];
  },
  async deployments(): Promise<readonly string[]> {
    const measured = await benchDeployments(process.env);
    return measured.map(({ roots, deployedMs, byHandMs, ratio }) => {
      const what = roots === 1 ? 'one root' : `${roots} roots`;
      return `${what}, merge to applied: ${deployedMs.toFixed(0)} ms; Terraform by hand: ${byHandMs.toFixed(0)} ms; ${ratio.toFixed(2)} times as long`;
    });
  },
  async presentation(): Promise<readonly string[]> {
    const measured = await benchPresentation(process.env);
    return measured.map(({ what, ms, requests, points, mostAtOnce }) => {
      const seconds = (ms / 1_000).toFixed(1);
      return `GitHub is back, ${what}: true after ${seconds} s, ${requests} requests, ${points} points, ${mostAtOnce} at once`;
    });
  },
} as const;

type Name = keyof typeof BENCHES;

const wanted = process.argv.slice(2);
const names = Object.keys(BENCHES).filter((name): name is Name => wanted.length === 0 || wanted.includes(name));
if (names.length < wanted.length) {
  process.stderr.write(`expected names of ${Object.keys(BENCHES).join(', ')}, found ${wanted.join(' ')}\n`);
  process.exit(2);
}
for (const name of names) for (const line of await BENCHES[name]()) console.log(line);
