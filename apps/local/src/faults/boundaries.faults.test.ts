import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { createBoundaries, type Boundaries, type Boundary } from './boundaries.ts';
import { openTerrain, type Terrain } from './terrain.ts';

const MINUTE_MS = 60_000;

jest.setTimeout(30 * MINUTE_MS);

/** Only every `STRIDE`-th boundary is tested, because each takes about a quarter of a minute. */
const STRIDE = Number(process.env['BOUNDARIES_STRIDE'] ?? 1);

const OVER_BEFORE = 'over before';

let terrain: Terrain;
let connection: Connection;
let boundaries: Boundaries;

beforeAll(async () => {
  terrain = await openTerrain(process.env);
  connection = await Connection.connect({ address: terrain.stack.temporalAddress });
  boundaries = createBoundaries(new Client({ connection }), terrain.stack);
});

afterAll(async () => {
  await connection.close();
  await terrain.closeGenuine();
});

async function deploy(name: string): Promise<string> {
  const sha = await terrain.push('network', name);
  await terrain.confirm('network', sha);
  await terrain.applied('network', sha);
  return sha;
}

/** Kills the worker when the deployment reaches the boundary. Returns the problems, and the seconds from kill to end. */
async function killAt(
  boundary: Boundary,
  name: string,
): Promise<{ readonly wrong: readonly string[]; readonly seconds: number }> {
  const over = new AbortController();
  const sha = await terrain.push('network', name);
  // A boundary that was not reached before the end is not reached at all: then nothing is killed.
  const killing = boundaries
    .reached(boundary, 'network', sha, over.signal)
    .then(async () => {
      await terrain.stack.kill('worker');
      return performance.now();
    })
    .catch(() => undefined);
  await terrain.confirm('network', sha);
  const { externalId } = await terrain.applied('network', sha);
  over.abort();
  const killedAt = await killing;
  const seconds = killedAt === undefined ? NaN : (performance.now() - killedAt) / 1_000;
  // GitHub learns of an end before the audit trail does.
  await terrain.isAuditedOnce(externalId);
  const ledger = (await terrain.ledger()).filter((entry) => entry === name);
  return { wrong: ledger.length === 1 ? [] : [`applied ${ledger.length} times`], seconds };
}

test('a worker that is killed at any boundary of a deployment costs nothing', async () => {
  await deploy('warm');
  const all = await boundaries.list('network', await deploy('reference'));
  const chosen = all.filter((_boundary, index) => index % STRIDE === 0);
  const found: string[] = [];
  const wrongs: string[] = [];

  process.stdout.write(`\nA worker killed at ${chosen.length} of ${all.length} boundaries:\n`);
  for (const [index, boundary] of chosen.entries()) {
    const place = `${boundary.workflow}: ${boundary.step} (${boundary.occurrence})`;
    const { wrong, seconds } = await killAt(boundary, `boundary-${index}`);
    const line = `  ${place.padEnd(60)} ${Number.isNaN(seconds) ? OVER_BEFORE : `${seconds.toFixed(1)} s to its end`}`;
    // Printed at once, because minutes of silence look like a hang.
    process.stdout.write(`${line}\n`);
    found.push(line);
    wrongs.push(...wrong.map((what) => `${place}: ${what}`));
  }

  expect(all.length).toBeGreaterThan(20);
  // The last boundaries come after the end that people see; if most others did too, no worker was killed.
  expect(found.filter((line) => !line.endsWith(OVER_BEFORE)).length).toBeGreaterThan(chosen.length / 2);
  expect(wrongs).toEqual([]);
});
