/** What an operator makes before the first start: secrets, and the server's file. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Version } from '../build-images.ts';
import type { Engine } from '../engine.ts';

/** The user of our images. */
const USER = 1000;

/** In the worker's container: a folder that roots may write, for the resources that they make. */
export const RESOURCES = '/resources';

/** Fills a new folder as the guide has people do it. */
export async function makeSecrets(engine: Engine, { tag }: Version, folder: string): Promise<void> {
  await mkdir(folder);
  const keys = ['node', 'packages/config/bin/nereid.js', 'keys', '/keys'];
  await engine.docker(['run', '--rm', '--user', '0', '--volume', `${folder}:/keys`, `nereid-worker:${tag}`, ...keys]);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(path.join(folder, 'github-app-private-key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  for (const name of ['postgres-password', 'github-webhook-secret'])
    await writeFile(path.join(folder, name), randomBytes(32).toString('hex'));
  for (const name of await readdir(folder)) await chown(path.join(folder, name), USER, USER);
}

/** That of docker-compose.yml, with the version of Terraform that the image has here: no other can be downloaded. */
export async function writeServerFile(engine: Engine, { folder, tag }: Version, file: string): Promise<void> {
  const asked = await engine.docker(['run', '--rm', `nereid-worker:${tag}`, 'terraform', 'version', '-json']);
  const { terraform_version: version } = JSON.parse(asked) as { terraform_version: string }; // Of Terraform.
  const text = await readFile(path.join(folder, '.config/production/nereid.server.yaml'), 'utf8');
  const states = `sandbox_write: [${RESOURCES}], shared_state: [${RESOURCES}]`;
  const terraform = `terraform: { version: '${version}', downloads: false, ${states} }`;
  await writeFile(file, text.replace(/^terraform: .*$/m, terraform));
}

export async function makeResources(folder: string): Promise<void> {
  await mkdir(folder);
  await chown(folder, USER, USER);
}
