import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { planTextDigest } from '@nereid/storage';
import { timeoutsWithoutStalls } from '@nereid/test-kit/timeouts-without-stalls';
import { aConsole, JOB, RUNNING } from '../../testing.ts';

afterEach(() => void jest.useRealTimers());

const TEXT = {
  text: `\
  # aws_s3_bucket.old will be destroyed
  - resource "aws_s3_bucket" "old" {
      - name = "<script>" -> null
    }

Changes to Outputs:
  + address = "x"`,
  leftOut: 0,
  isShortened: false,
};

const PAGE = `/deployments/${RUNNING.id}?lane=acme/infra/network`;

async function aPage(textDigest: string, stored = TEXT): Promise<string> {
  const plan = aPlan({ textDigest });
  const { progress } = aDeployment({ status: 'awaiting-review', plan, jobs: { plan: JOB } });
  const console = await aConsole({ isLocal: true, lane: { running: { ...RUNNING, progress } } });
  await console.logs.of(DEFAULT_POOL).planTexts.write(JOB.id, stored);
  return (await console.get(PAGE)).text();
}

describe('the page of a plan', () => {
  test("has Terraform's own text of each resource, what is destroyed open, and nothing in it is markup", async () => {
    const page = await aPage(planTextDigest(TEXT));

    expect(page).toContain('<details class="resource" id="plan-aws_s3_bucket.old"  open>');
    expect(page).toContain('name = &quot;&lt;script&gt;&quot; -&gt; null\n</span>');
    expect(page).toContain('<summary>Outputs</summary>');
    expect(page).toContain('<code>aws_s3_bucket.new</code>');
  });

  test('does not show the text of another plan', async () => {
    const page = await aPage(planTextDigest({ ...TEXT, text: '  # aws_s3_bucket.old will be kept' }));

    expect(page).toContain('<code>aws_s3_bucket.old</code>');
    expect(page).not.toContain('class="resource"');
  });
});

test('a page whose storage hangs is still the page', async () => {
  timeoutsWithoutStalls();
  const plan = aPlan({ textDigest: planTextDigest(TEXT) });
  const { progress } = aDeployment({ status: 'awaiting-review', plan, jobs: { plan: JOB } });
  const lane = { running: { ...RUNNING, progress } };
  const console = await aConsole({ isLocal: true, lane, live: lane, progress, patienceMs: 50 });
  console.logs.of(DEFAULT_POOL).planTexts.read = () => Promise.withResolvers<undefined>().promise;

  const page = await (await console.get(PAGE)).text();

  expect(page).toContain('<code>aws_s3_bucket.old</code>');
});
