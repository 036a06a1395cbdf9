import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '@nereid/domain/deployment';
import type { PlanText } from '@nereid/domain/plan';
import fc from 'fast-check';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { OUTPUT_LIMIT_BYTES } from '@nereid/forge';
import { planTextSection, type ShownPlanText } from './plan-text.ts';
import { renderCheckRun, renderSuperseded } from '../render-check-run.ts';

const LINKS = { deploymentUrl: 'https://console.example/deployments/3f2a?key=k' };
const LOG = `[The log](${LINKS.deploymentUrl})`;

const textOf = (text: Partial<PlanText> = {}): ShownPlanText => ({
  kind: 'text',
  text: { text: '  # aws_x.a will be destroyed', leftOut: 0, isShortened: false, ...text },
});

const textIn = (deployment: Deployment, text: ShownPlanText | undefined = textOf()) =>
  renderCheckRun({ deployment }, LINKS, { planText: text }).text;

const planned = (status: Deployment['progress']['status']) => aDeployment({ status, plan: aPlan() });

describe('the text of a plan', () => {
  test('stands below the table, fenced', () => {
    const { summary, text } = renderCheckRun({ deployment: planned('awaiting-review') }, LINKS, { planText: textOf() });

    expect(summary).toContain('| Destroy |');
    expect(text).toBe(
      "Terraform's own text of this plan; destroyed and replaced resources come first:\n\n```diff\n  # aws_x.a will be destroyed\n```",
    );
  });

  test.each(['awaiting-review', 'applying', 'succeeded', 'rejected', 'apply-failed', 'expired'] as const)(
    'is shown as long as the plan is: %s',
    (status) => {
      expect(textIn(planned(status))).toContain('aws_x.a');
    },
  );

  test('is not shown without a plan, of a plan without changes, nor where work went on in a newer check run', () => {
    const unchanged = aDeployment({ status: 'no-changes', plan: aPlan({ hasChanges: false }) });

    expect(textIn(aDeployment({ status: 'planning' }))).toBeUndefined();
    expect(textIn(unchanged)).toBeUndefined();
    expect(renderCheckRun({ deployment: planned('applying') }, LINKS).text).toBeUndefined();
    expect(renderSuperseded(planned('applying'), LINKS).text).toBeUndefined();
  });

  test.each([
    [{ leftOut: 1 }, `_The text of 1 resource is left out here. ${LOG} has all of it._`],
    [
      { leftOut: 9_940, isShortened: true },
      `_The text of 9940 resources is left out here, and other parts are shortened. ${LOG} has all of it._`,
    ],
    [{ isShortened: true }, `_Long parts are shortened. ${LOG} has all of it._`],
  ])('says what is missing: %j', (missing, sentence) => {
    expect(textIn(planned('awaiting-review'), textOf(missing))?.split('\n').at(-1)).toBe(sentence);
  });

  test('that is not there is said in a sentence', () => {
    const none = { kind: 'none', why: 'It could not be read.' } as const;

    expect(textIn(planned('awaiting-review'), none)).toBe(`_It could not be read. ${LOG} has it._`);
  });
});

describe('a text of more than ten resources', () => {
  const block = (name: string) =>
    [`  # ${name} will be created`, '  + resource "x" "y" {', '      + a = 1', '    }'].join('\n');
  const textWith = (count: number) =>
    [
      ...Array.from({ length: count }, (_, index) => block(`aws_x.n["<${index}>"]`)),
      'Changes to Outputs:\n  + o = 1',
    ].join('\n\n');

  test('has each further one in a fold of its own, and the rest below', () => {
    const section = planTextSection(textOf({ text: textWith(12) }), LINKS.deploymentUrl);

    expect(section.match(/<details>/g)).toHaveLength(2);
    expect(section.indexOf('n["<9>"]')).toBeLessThan(section.indexOf('<details>'));
    expect(section).toContain(
      '<details><summary><code>aws_x.n[&#34;&#60;10&#62;&#34;]</code></summary>\n\n```diff\n  # aws_x.n["<10>"] will be created\n',
    );
    expect(section.split('</details>').at(-1)).toBe('\n\n```diff\n Changes to Outputs:\n+   o = 1\n```');
  });

  test('has all further ones in one fold where there is no room for more', () => {
    const section = planTextSection(textOf({ text: textWith(600) }), LINKS.deploymentUrl);

    expect(Buffer.byteLength(section)).toBeLessThanOrEqual(OUTPUT_LIMIT_BYTES);
    expect(section.match(/<details>.*/g)).toEqual(['<details><summary>590 more resources</summary>']);
    expect(section).toContain('n["<599>"]');
  });

  test('is not folded where it has to be cut, so that nothing hides what is said of it', () => {
    const section = planTextSection(textOf({ text: textWith(1_000) }), LINKS.deploymentUrl);

    expect(section).not.toContain('<details>');
    expect(section.endsWith(`_This was too long to show here. ${LOG} has all of it._`)).toBe(true);
  });
});

test('no value of a plan leaves its fence or the limit of GitHub', () => {
  const line = fc.array(
    fc.oneof(fc.constantFrom('```', '~~~', '</details>', '@everyone', '<script>', '\u202e', '\u001b[31m'), fc.string()),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 3, max: 1_000 }), (lines, ticks) => {
      const hostile = [...lines.map((parts) => parts.join('')), '`'.repeat(ticks), '~~~', '# owned @everyone'];

      const section = planTextSection(textOf({ text: hostile.join('\n'), leftOut: 1 }), LINKS.deploymentUrl);

      const [, , open = '', ...rest] = section.split('\n');
      const fence = open.slice(0, -'diff'.length);
      expect(fence).toMatch(/^`{4,}$/);
      expect(rest.indexOf(fence)).toBe(rest.length - 3);
      expect(rest.slice(0, -3).every((each) => !each.includes(fence))).toBe(true);
      expect(['\u001b', '\u202e'].filter((hidden) => section.includes(hidden))).toEqual([]);
    }),
  );
});

test('the largest text has room, with the longest fence', () => {
  const lines = [...Array.from({ length: 58 }, () => 'x'.repeat(1_000)), '`'.repeat(1_000)];

  const section = planTextSection(textOf({ text: lines.join('\n'), leftOut: 9 }), LINKS.deploymentUrl);

  expect(Buffer.byteLength(section)).toBeLessThanOrEqual(OUTPUT_LIMIT_BYTES);
  expect(section).toContain('The text of 9 resources');
});
