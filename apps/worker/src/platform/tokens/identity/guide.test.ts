/** What the guide has people write takes exactly the tokens that it says. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readServerConfig } from '@nereid/config';
import { tradeToken, type CloudName, type Trust } from '@nereid/test-kit';
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
