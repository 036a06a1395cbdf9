/** What the guide has people write takes exactly the tokens that it says. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readServerConfig } from '@nereid/config';
import { tradeToken, type Claims, type CloudName, type Trust } from '@nereid/test-kit';
import { openedApply, openedBy, withGo, withOrder } from '../../../testing/test-signatures.ts';
import { aJob } from '../testing/a-job.ts';
import { issuedIdentityTokens } from './identity-tokens.ts';
import { controlWith, startTestIssuer, type TestIssuer } from './testing/test-issuer.ts';

const GUIDE = readFileSync(new URL('../../../../../docs/guides/identities.md', import.meta.url), 'utf8');
const STORAGE = 'storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }';

let issuer: TestIssuer;
/** Of the root `prod-network`, by phase. */
let tokens: Readonly<Record<'plan' | 'apply', string>>;

beforeAll(async () => {
  issuer = await startTestIssuer();
  const read = readServerConfig(`${blocksOf('yaml')[0] ?? ''}${STORAGE}`);
  if (read.kind === 'invalid') throw new Error(read.problems[0]?.message);
  expect(read.warnings).toEqual([]);
  const control = issuedIdentityTokens(controlWith(read.config, issuer));
  const plan = await withOrder({ ...aJob(), root: { ...aJob().root, name: 'prod-network', dir: 'prod/network' } });
  const apply = await withGo({ ...plan, digest: 'd'.repeat(64), hostId: 'h1' });
  tokens = {
    plan: await control.tokenFor(await openedBy(plan)),
    apply: await control.tokenFor(await openedApply(apply)),
  };
});

afterAll(() => issuer.close());

test('on AWS, the role of the apply takes its token alone, and the pattern those of plans', async () => {
  const [policy = '', pattern = ''] = blocksOf('json');

  expect(await takenBy('aws', policy)).toEqual(['apply']);
  expect(await takenBy('aws', pattern)).toEqual(['plan']);
});

test('on Google, the principal of each phase is the subject of its token', async () => {
  const [, subject = ''] = /\/subject\/(repository:\S+?phase):\$phase"/.exec(GUIDE) ?? [];

  for (const phase of ['plan', 'apply'] as const) {
    const trust = { ...trusting(`${subject}:${phase}`), claims: { repository: 'acme/infra', phase } };
    expect(await tradeToken('google', trust, tokens[phase])).toMatchObject({ kind: 'traded' });
  }
});

test('on Azure, the credential takes the token of the apply alone', async () => {
  expect(await takenBy('azure', blocksOf('json')[2] ?? '')).toEqual(['apply']);
});

test('on Google, the provider maps and asks for claims that a token has, and lets that of the root in', async () => {
  const [, mapping = ''] = /--attribute-mapping='([^']+)'/.exec(GUIDE) ?? [];
  const [, condition = ''] = /--attribute-condition="([^"]+)"/.exec(GUIDE) ?? [];
  const claims = await claimsOf('apply');
  const named = Array.from(`${mapping} ${condition}`.matchAll(/assertion\.(\w+)/g), ([, name = '']) => name);
  const mapped = mapping.split(',').map((pair) => pair.split('=')[0]);

  expect(named.filter((name) => claims[name] === undefined)).toEqual([]);
  expect(condition).toBe("assertion.repository == 'acme/infra' && assertion.directory.startsWith('prod/')");
  expect(claims).toMatchObject({ repository: 'acme/infra', directory: expect.stringMatching(/^prod\//) });
  const used = Array.from(GUIDE.matchAll(/\/(attribute\.\w+)\//g), ([, name]) => name);
  expect(used).not.toEqual([]);
  expect(used.filter((name) => !mapped.includes(name))).toEqual([]);
});

test('the table of claims names those of a token, and no others', async () => {
  const [, section = ''] = GUIDE.split('## The claims of a token');
  const rows = Array.from(section.matchAll(/^\| (`.*?`) +\|/gm), ([, cell = '']) => cell);
  const named = rows.flatMap((cell) => Array.from(cell.matchAll(/`(\w+)`/g), ([, name = '']) => name));
  // The variables of a job are the next table.
  const listed = named.slice(0, named.indexOf('NEREID_IDENTITY_TOKEN_FILE'));

  expect(listed.toSorted()).toEqual([...Object.keys(await claimsOf('apply')), 'confirmed_by'].toSorted());
});

test('each part of the settings of a root is one that the server takes', () => {
  const parts = blocksOf('yaml').filter((text) => /^(?:identity|environment):/.test(text));

  expect(parts).toHaveLength(2);
  for (const part of parts) {
    const settings = part.replaceAll(/^(?=.)/gm, '        ');
    const entry = `repositories:\n  - match: acme/infra\n    roots:\n      prod/**:\n${settings}`;
    expect(readServerConfig(`${entry}${STORAGE}`)).toMatchObject({ kind: 'ok', warnings: [] });
  }
});

/** As every cloud reads them: none of these tokens has a review. */
async function claimsOf(phase: 'plan' | 'apply'): Promise<Claims> {
  const trust = trusting(`repository:acme/infra:root:prod-network:phase:${phase}`);
  const traded = await tradeToken('google', trust, tokens[phase]);
  if (traded.kind === 'refused') throw new Error(traded.why);
  return traded.claims;
}

function blocksOf(language: string): readonly string[] {
  const blocks = GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return Array.from(blocks, ([, text = '']) => text);
}

function trusting(subject: string): Trust {
  return { issuer: issuer.url, audience: 'nereid-prod', subject };
}

/** The phases whose tokens the cloud takes by what the guide has written there. */
async function takenBy(cloud: CloudName, written: string): Promise<readonly string[]> {
  expect(() => JSON.parse(written) as unknown).not.toThrow();
  const [, subject = ''] = /"(?:nereid\.example\.org:sub|subject)": "([^"]+)"/.exec(written) ?? [];
  expect(written).toContain('nereid-prod');
  const phases = ['plan', 'apply'] as const;
  const traded = await Promise.all(phases.map((phase) => tradeToken(cloud, trusting(subject), tokens[phase])));
  return phases.filter((_phase, index) => traded[index]?.kind === 'traded');
}
