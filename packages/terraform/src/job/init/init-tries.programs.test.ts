import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { aJob, aRoot, realTerraform, stepsWithLocalState, testdir } from '../../../fixtures/fixture.ts';
import { planRoot } from '../../plan/plan-root.ts';

const LOCAL = 'terraform {\n  backend "local" {}\n}\n';
const terraform = await realTerraform();

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

test('an init that the network failed is tried again, and the log says so', async () => {
  const registry = await cutsOff(2);
  await using folder = await testdir({
    'tree/main.tf': `${LOCAL}module "m" { source = "http://127.0.0.1:${registry.port}/m" }`,
    'module/main.tf': '',
  });
  registry.answers = `${folder.path}/module`;
  const { options, logged } = theJob(folder.path);

  expect(await planRoot(options)).toMatchObject({ kind: 'planned' });
  expect(logged()).toContain('A network error: the init is tried again in 0.002 s (3 of 3).');
});

test('one that it fails each time is the author’s to see, with what Terraform said', async () => {
  const registry = await cutsOff(Infinity);
  await using folder = await testdir({
    'tree/main.tf': `${LOCAL}module "m" { source = "http://127.0.0.1:${registry.port}/m" }`,
  });
  const { options, logged } = theJob(folder.path);

  expect(await planRoot(options)).toMatchObject({
    kind: 'failed',
    failure: { summary: expect.stringContaining('module') },
  });
  expect(logged().match(/Initializing the backend/g)).toHaveLength(3);
});

test('one that fails for another reason is not tried again', async () => {
  await using folder = await testdir({ 'tree/main.tf': `${LOCAL}module "m" { source = "./missing" }` });
  const { options, logged } = theJob(folder.path);

  expect(await planRoot(options)).toMatchObject({ kind: 'failed' });
  expect(logged().match(/Initializing the backend/g)).toHaveLength(1);
});

function theJob(folder: string) {
  return aJob(folder, terraform, { root: aRoot({ steps: stepsWithLocalState(folder) }), initPausesMs: [1, 2] });
}

/** A registry of modules that hangs up so many times; then it says where the module is. */
async function cutsOff(times: number) {
  let left = times;
  const registry = { port: 0, answers: '' };
  const server = createServer((request, response) => {
    left -= 1;
    if (left >= 0) request.destroy();
    else response.writeHead(200, { 'x-terraform-get': `file://${registry.answers}` }).end();
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  // An address of TCP, because that is what it listens on.
  registry.port = (server.address() as AddressInfo).port;
  return registry;
}
