/** Whatever comes from a repository, its commits, Terraform or a policy is shown as text. */
import { describe, expect, test } from '@jest/globals';
import { aDeployment, aPlan, withMade } from '@nereid/domain/testing';
import { OUTPUT_LIMIT_BYTES } from '@nereid/forge';
import { renderCheckRun } from './render-check-run.ts';

const LINKS = {
  deploymentUrl: 'https://console.example/deployments/3f2a?key=k',
  workflowUrl: 'https://temporal.example/namespaces/default/workflows/3f2a',
  laneUrl: 'https://temporal.example/namespaces/default/workflows/acme%2Finfra%7C%7Cnetwork',
  commitUrl: 'https://github.example/acme/infra/commit/abc1234',
};

const denial = { name: 'cost', enforce: 'required', verdict: 'denied', denials: [], warnings: [] } as const;

describe('text from outside stays text', () => {
  const hostile = '```\n# owned\n<script>alert(1)</script> [x](http://evil.example) @everyone \u001b[31mred\u202e';

  test('an address cannot leave its fence', () => {
    const plan = aPlan();
    const summary = { ...plan.made.body.summary, resources: [{ address: hostile, action: 'delete' as const }] };

    const { summary: markdown } = renderCheckRun(
      { deployment: aDeployment({ status: 'awaiting-review', plan: withMade(plan, { summary }) }) },
      LINKS,
    );

    expect(markdown).toContain('````diff\n- ``` # owned <script>');
    expect(markdown).not.toContain('\u001b');
    expect(markdown).not.toContain('\u202e');
  });

  test('a message of a policy cannot leave its fence, nor become a title of markup', () => {
    const plan = aPlan({ policies: [{ ...denial, denials: [hostile] }] });

    const { summary, title } = renderCheckRun({ deployment: aDeployment({ status: 'awaiting-review', plan }) }, LINKS);

    expect(summary).toContain('````diff\n- ``` # owned <script>');
    expect(summary).not.toMatch(/^# owned|^<script>/m);
    expect(title).not.toContain('\u001b');
  });

  test('a warning about the configuration cannot leave its fence', () => {
    const deployment = { ...aDeployment({ status: 'succeeded' }), configWarnings: [hostile] };

    const { summary } = renderCheckRun({ deployment }, LINKS);

    expect(summary).toContain('**Warnings about the configuration**\n\n````diff\n! ``` # owned <script>');
    expect(summary).not.toMatch(/^# owned|^<script>/m);
  });

  test('a commit title, an author and a notice cannot become markup', () => {
    const deployment = aDeployment({ status: 'awaiting-review', plan: aPlan() });

    const { summary } = renderCheckRun(
      {
        deployment: { ...deployment, revision: { ...deployment.revision, title: hostile, author: hostile } },
        notice: hostile,
      },
      LINKS,
    );

    expect(summary).toContain(
      '> \\`\\`\\` \\# owned \\<script\\>alert(1)\\</script\\> \\[x\\](http:\\/\\/evil.example)',
    );
    expect(summary).toContain('```` ``` # owned <script>');
    expect(summary).not.toMatch(/^# owned|^<script>/m);
  });

  test('an author, whose name is whatever the commit says, is not shown as a person of GitHub', () => {
    const deployment = aDeployment({ status: 'awaiting-review', plan: aPlan() });
    const revision = { ...deployment.revision, author: 'alice' };

    const { summary } = renderCheckRun({ deployment: { ...deployment, revision, requestedBy: 'bob' } }, LINKS);

    expect(summary).toContain('by `alice` (as the commit says), merged');
    expect(summary).toContain('Asked for by @bob');
    expect(summary).not.toContain('@alice');
  });

  test('lines of Terraform of any length are cut at a line, the fence closed, the log linked', () => {
    const lines = Array.from({ length: 60 }, (_, index) => `${index} ${'€'.repeat(500)}`);

    const { summary } = renderCheckRun(
      { deployment: aDeployment({ status: 'plan-failed', failure: { body: { summary: 'x', lines } } }) },
      LINKS,
    );

    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(OUTPUT_LIMIT_BYTES);
    expect(summary).toMatch(
      /€\n```\n\n_This was too long to show here\. \[See all of it]\(https:\/\/console\.example.*\)\._$/,
    );
  });
});
