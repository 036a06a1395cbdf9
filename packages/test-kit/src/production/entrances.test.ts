/** What the guides have in front of the gateway lets through all that it answers to strangers, and nothing else. */
import { beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readValues } from './chart/chart-files.ts';
import { CLOUD_RUN } from './cloud-run.ts';
import { readRepositoryFile } from '../repository.ts';

/** GitHub's path, and what clouds read of an issuer. */
let events: readonly string[];
let documents: readonly string[];

beforeAll(async () => {
  const routes = await readRepositoryFile('apps/gateway/src/app.ts');
  const issuer = await readRepositoryFile('packages/signature/src/identity/issuer-documents.ts');
  events = Array.from(routes.matchAll(/app\.post\('(\/[^']+)'/g), ([, path = '']) => path);
  documents = Array.from(issuer.matchAll(/^const \w+ = '(\/[^']+)';$/gm), ([, path = '']) => path);
});

test('the gateway has three public paths', () => {
  expect([...events, ...documents]).toEqual(['/events', '/.well-known/openid-configuration', '/.well-known/jwks.json']);
});

test('Caddy on a virtual machine passes them to the gateway', async () => {
  const guide = await readRepositoryFile('apps/docs/guides/virtual-machine.md');

  const [, paths = ''] =
    /^\t@public path (.+)\n\treverse_proxy @public 127\.0\.0\.1:4143\n\trespond 404$/m.exec(guide) ?? [];
  expect(paths.split(' ')).toEqual([...events, ...documents]);
});

test('the entrance of Cloud Run passes them to the gateway, and everything else to the console', async () => {
  const map: unknown = parse(await readRepositoryFile(`${CLOUD_RUN}/url-map.yaml`));

  const consoleService = expect.stringMatching(/nereid-console$/) as unknown;
  expect(map).toMatchObject({
    defaultService: consoleService,
    pathMatchers: [
      {
        defaultService: consoleService,
        pathRules: [{ paths: [...events, ...documents], service: expect.stringMatching(/nereid-gateway$/) as unknown }],
      },
    ],
  });
});

test('the chart opens GitHub’s path, and the others where roots have identities', async () => {
  const template = await readRepositoryFile('apps/chart/templates/gateway/entrance.yaml');

  expect(await readValues()).toMatchObject({ gateway: { publicPaths: events } });
  for (const path of documents) expect(template).toContain(`(print $below "${path}")`);
});
