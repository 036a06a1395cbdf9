/** An apply that fails halfway: what going back would do stands on its check run, and the plan opens from there. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CheckRun } from '@nereid/github-stand-in';
import { until } from '../faults/terrain.ts';
import { SAMPLE_NAME } from '../sample/repository.ts';
import { resource, startStage, type Files, type Stage } from './stage.ts';

const NAME = 'nereid/deploy: network';

/** What fails comes last, so that Terraform has made the other one. */
const BROKEN = `resource "terraform_data" "half" {}

resource "terraform_data" "broken" {
  depends_on = [terraform_data.half]
  provisioner "local-exec" {
    command = "exit 1"
  }
}
`;

let stage: Stage;

beforeAll(async () => {
  // It needs none of what plans of pull requests need.
  stage = await startStage({ plansPullRequests: false });
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

/** Merges the files in a pull request, and has their plan applied. */
async function deploy(files: Files): Promise<{ readonly sha: string; readonly number: number }> {
  const { github } = stage.stack;
  const { number } = await stage.open(files);
  const sha = await github.mergePullRequest({ repository: SAMPLE_NAME, number }, { kind: 'squash', by: 'carol' });
  const { id, actions } = await stage.titled(NAME, sha, /^Plan: /);
  github.pressButton(id, actions.find(({ label }) => label === 'Confirm')?.identifier ?? '', 'alice');
  return { number, sha };
}

async function saying(sha: string, text: string): Promise<Readonly<CheckRun>> {
  const newest = () => stage.runsOf(NAME, sha)[0];
  const isSaid = () => Promise.resolve(newest()?.output.summary?.includes(text) === true);
  await until(`"${text}" on ${sha}`, isSaid, () => JSON.stringify(newest()?.output));
  const run = newest();
  if (run === undefined) throw new Error(`expected ${NAME} on ${sha}`);
  return run;
}

test('the last good revision is planned, and its check run says what going back would do', async () => {
  const good = await deploy({ 'network/good.tf': resource('good') });
  await stage.titled(NAME, good.sha, /^Applied: /);

  const failed = await deploy({ 'network/half.tf': BROKEN });
  const run = await saying(failed.sha, 'Going back to ');

  const { summary } = run.output;
  expect(run.conclusion).toBe('failure');
  expect(summary).toMatch(
    new RegExp(
      String.raw`Going back to ${good.sha.slice(0, 7)} \(\\#${good.number}, deployed \d{4}-\d\d-\d\d\) would destroy 2\. `,
    ),
  );
  const pull = `${stage.stack.urls.github}/${SAMPLE_NAME}/pull/${failed.number}`;
  expect(summary).toContain(`To go back, press **Revert** on [#${failed.number}](${pull}).`);

  const [, planUrl = ''] = /\[See the plan\]\((?<url>[^)]+)\)/.exec(summary ?? '') ?? [];
  const page = await fetch(planUrl);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain(`To see what going back from ${failed.sha.slice(0, 7)} would change`);
});

test('a fix that is merged meanwhile is deployed, whatever the plan to go back does', async () => {
  const fixed = await deploy({ 'network/half.tf': resource('half') });

  await stage.titled(NAME, fixed.sha, /^Applied: /);
  expect(stage.runsOf(NAME, fixed.sha)[0]?.output.summary).not.toContain('Going back to ');
});
