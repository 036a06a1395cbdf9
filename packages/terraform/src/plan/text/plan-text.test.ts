import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { PlanText } from '@nereid/domain/plan';
import fc from 'fast-check';
import { testdir } from '../../../fixtures/fixture.ts';
import { createPlanText, ROOM_ON_FORGE, ROOM_ON_PAGES } from './plan-text.ts';
import { readPlanText } from './read-plan-text.ts';

const LEGEND = `
Terraform used the selected providers to generate the following execution
plan. Resource actions are indicated with the following symbols:
  + create
-/+ destroy and then create replacement

Terraform will perform the following actions:

`;

const RULE = '─'.repeat(77);

const SIGNS = { destroyed: '  -', 'updated in-place': '  ~', created: '  +' } as const;

/** A resource as Terraform prints it. */
function resource(name: string, action: keyof typeof SIGNS, ...lines: readonly string[]): string {
  const sign = SIGNS[action];
  return `  # aws_x.${name} will be ${action}\n${sign} resource "aws_x" "${name}" {\n${lines.map((line) => `${line}\n`).join('')}    }\n\n`;
}

const replaced = `  # aws_x.replaced must be replaced\n-/+ resource "aws_x" "replaced" {\n      ~ id = "1" # forces replacement\n    }\n\n`;

function textOf(...pieces: readonly string[]): PlanText {
  const reader = createPlanText(ROOM_ON_FORGE);
  for (const piece of pieces) reader.read(piece);
  return reader.end();
}

const addressesIn = ({ text }: PlanText) => Array.from(text.matchAll(/^ {1,2}# ([^\s(]+)/gm), ([, address]) => address);

const isWhole = { leftOut: 0, isShortened: false };

describe('resources', () => {
  test('that are destroyed or replaced come first, then those that are forgotten, changed, created, and others', () => {
    const others = [
      '  # data.aws_x.read will be read during apply\n  # (config refers to values not yet known)\n <= data "aws_x" "read" {\n    }\n\n',
      '  # aws_x.old has moved to aws_x.moved\n    resource "aws_x" "moved" {\n        id = "1"\n    }\n\n',
      ' # aws_x.forgotten will no longer be managed by Terraform, but will not be destroyed\n # (destroy = false is set in the configuration)\n . resource "aws_x" "forgotten" {\n    }\n\n',
    ];

    const made = textOf(
      LEGEND,
      others.join(''),
      resource('new', 'created', '      + a = 1'),
      resource('changed', 'updated in-place', '      ~ a = 1 -> 2'),
      replaced,
      resource('gone', 'destroyed', '      - a = 1 -> null'),
      'Plan: 2 to add, 1 to change, 2 to destroy.\n\nChanges to Outputs:\n  + o = 1\n',
    );

    expect(addressesIn(made)).toEqual([
      'aws_x.replaced',
      'aws_x.gone',
      'aws_x.forgotten',
      'aws_x.changed',
      'aws_x.new',
      'data.aws_x.read',
      'aws_x.old',
    ]);
    expect(made).toMatchObject(isWhole);
    expect(made.text).toContain(replaced.trimEnd());
    expect(made.text).toMatch(/^Plan: 2 to add.*\n\nChanges to Outputs:\n {2}\+ o = 1$/m);
    expect(made.text).not.toContain('Terraform used');
    expect(made.text).not.toContain('Terraform will perform');
  });

  test('keep their empty lines, and values that look like another resource', () => {
    const lines = [
      '      ~ a = <<-EOT',
      '            # aws_x.fake will be destroyed',
      '',
      '          +   # aws_x.fake will be destroyed',
      '          + Changes to Outputs:',
      '            }',
      '        EOT',
      '',
      '      + nested {',
      '        }',
    ];
    const whole = resource('changed', 'updated in-place', ...lines);

    expect(textOf(LEGEND, whole)).toEqual({ ...isWhole, text: whole.trimEnd() });
  });

  test('keep the actions that Terraform invokes with their change', () => {
    const actions = (name: string) =>
      `    # Actions to be invoked after this change in order:\n    action "${name}" "a" {\n        config {\n            b = 1\n        }\n    }\n    action "${name}" "b" {\n    }\n`;
    const whole = `${resource('changed', 'updated in-place')}${actions('x')}`;

    const made = textOf(LEGEND, whole, '\n\n', resource('gone', 'destroyed'), 'Plan: 1 to change.\n');

    expect(made).toEqual({
      ...isWhole,
      text: `${resource('gone', 'destroyed').trimEnd()}\n\n${whole.trimEnd()}\n\nPlan: 1 to change.`,
    });
  });

  test('end where OpenTofu ends one that it forgets', () => {
    const left =
      '  # aws_x.left will be removed from the OpenTofu state but will not be destroyed\n  . resource "aws_x" "left" {\n    id = "1"\n}\n\n';

    expect(textOf(LEGEND, resource('new', 'created'), left)).toEqual({
      ...isWhole,
      text: `${left.trimEnd()}\n\n${resource('new', 'created').trimEnd()}`,
    });
  });

  test('are told by the sign, whatever their address says', () => {
    const key = '  # aws_x.a["b must be replaced"] will be created\n  + resource "aws_x" "a" {\n    }\n\n';

    const made = textOf(LEGEND, key, resource('changed', 'updated in-place'), resource('gone', 'destroyed'));

    expect(addressesIn(made)).toEqual(['aws_x.gone', 'aws_x.changed', 'aws_x.a["b']);
  });

  test('of OpenTofu are read the same way', () => {
    const said = `${LEGEND}${resource('new', 'created')}${replaced}`.replaceAll('Terraform', 'OpenTofu');

    const made = textOf(said);

    expect(addressesIn(made)).toEqual(['aws_x.replaced', 'aws_x.new']);
    expect(made.text).not.toContain('OpenTofu');
  });
});

describe('what is not a resource of the plan', () => {
  test('outputs alone make a text', () => {
    const outputs = 'Changes to Outputs:\n  + o = <<-EOT\n        one\n\n        two\n    EOT\n  - p = 1 -> null';
    const note = 'You can apply this plan to save these new output values to the Terraform\nstate.';

    expect(textOf(`\n${outputs}\n\n${note}\n`)).toEqual({ ...isWhole, text: `${note}\n\n${outputs}` });
  });

  test('drift comes last, and a resource that somebody else deleted is none that the plan destroys', () => {
    const drift = `\nNote: Objects have changed outside of Terraform\n\nTerraform detected the following changes made outside of Terraform since the\nlast "terraform apply" which may have affected this plan:\n\n  # aws_x.lost has been deleted\n  - resource "aws_x" "lost" {\n    }\n\n\nUnless you have made equivalent changes to your configuration, or ignored the\nrelevant attributes using ignore_changes, the following plan may include\nactions to undo or respond to these changes.\n\n${RULE}\n`;

    const made = textOf(drift, LEGEND, resource('lost', 'created'), resource('gone', 'destroyed'));

    expect(made.text.split('\n').filter((line) => /^(?: {2}#|\S)/.test(line))).toEqual([
      '  # aws_x.gone will be destroyed',
      '  # aws_x.lost will be created',
      'Note: Objects have changed outside of Terraform',
      '  # aws_x.lost has been deleted',
    ]);
  });

  test('notes of Terraform stay', () => {
    const note = 'Note: This is a partial plan, parts can only be known in the next plan / apply\ncycle.';

    expect(textOf(`${note}\n\n`, LEGEND, resource('new', 'created')).text).toContain(note);
  });
});

describe('what has no room', () => {
  test('is left out by the resource, the created ones first, and counted', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => resource(`n${index}`, 'created', `      + a = ${index}`));
    const gone = Array.from({ length: 10 }, (_, index) => resource(`g${index}`, 'destroyed'));

    const made = textOf(LEGEND, ...many, ...gone);

    const shown = addressesIn(made);
    expect(shown.slice(0, 11)).toEqual([...gone.map((_, index) => `aws_x.g${index}`), 'aws_x.n0']);
    expect(made).toMatchObject({ leftOut: 10_010 - shown.length, isShortened: false });
    expect(Buffer.byteLength(made.text)).toBeLessThanOrEqual(60_000);
    expect(Buffer.byteLength(made.text)).toBeGreaterThan(59_000);
  });

  test('of a value is cut, and pushes out nothing else', () => {
    const big = `      + a = "${'€'.repeat(350_000)}"`;

    const made = textOf(LEGEND, resource('big', 'created', big), resource('small', 'created'));

    expect(addressesIn(made)).toEqual(['aws_x.big', 'aws_x.small']);
    expect(made).toMatchObject({ leftOut: 0, isShortened: true });
    expect(made.text).toMatch(/€… \(349014 more characters\)\n/);
  });

  test('of a resource with many lines is cut, also of one that is destroyed', () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `      - a${index} = 1 -> null`);

    const made = textOf(LEGEND, resource('big', 'destroyed', ...lines), resource('small', 'destroyed'));

    expect(addressesIn(made)).toEqual(['aws_x.big', 'aws_x.small']);
    expect(made).toMatchObject({ leftOut: 0, isShortened: true });
    expect(made.text).toMatch(/\n {6}… \d{5} more lines\n/);
  });

  test('on the forge has room on pages', () => {
    const many = Array.from({ length: 5_000 }, (_, index) =>
      resource(
        `n${index}`,
        'created',
        ...Array.from({ length: 30 }, (_each, line) => `      + attribute_${line} = "${'v'.repeat(20)}"`),
      ),
    );
    const reader = createPlanText(ROOM_ON_PAGES);
    for (const piece of [LEGEND, resource('long', 'created', `      + a = "${'x'.repeat(15_000)}"`), ...many]) {
      reader.read(piece);
    }

    expect(reader.end()).toMatchObject(isWhole);
  });

  test('makes room for a smaller one behind it', () => {
    const lines = Array.from({ length: 900 }, () => '      - a = 1 -> null');
    const gone = Array.from({ length: 5 }, (_, index) => resource(`g${index}`, 'destroyed', ...lines));

    const made = textOf(LEGEND, ...gone, resource('small', 'created'));

    expect(addressesIn(made)).toEqual(['aws_x.g0', 'aws_x.g1', 'aws_x.g2', 'aws_x.small']);
    expect(made).toMatchObject({ leftOut: 2, isShortened: true });
  });

  test('says so of outputs and of drift, which are no resources of the plan', () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `  + o${index} = 1\n`).join('');

    expect(textOf(`Changes to Outputs:\n${lines}`)).toMatchObject({ leftOut: 0, isShortened: true });
  });
});

test('characters that nobody sees, or that reorder a line, are written as escapes', () => {
  const value = '      + a = "\u001b[31mred\u202e\u200b\u0000\u2028\tx\r\ud800"';

  const { text } = textOf(LEGEND, resource('a', 'created', value));

  expect(text).toContain(String.raw`+ a = "\u{001b}[31mred\u{202e}\u{200b}\u{0000}\u{2028}  x\r` + '\ufffd"');
  expect(text).not.toMatch(/[^\P{C}\n]/u);
});

test('any text in any pieces stays within its limit, and is the same', () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom('\n', '\n\n', '  # a will be destroyed\n', '  - resource "a" "b" {\n', '    }\n', '```', '\u202e'),
    fc.constantFrom(LEGEND, 'Changes to Outputs:\n', 'Note: Objects have changed outside of Terraform\n', RULE),
    fc.integer({ min: 900, max: 70_000 }).map((length) => '€'.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const made = textOf(...parts);

      expect(Buffer.byteLength(made.text)).toBeLessThanOrEqual(60_000);
      expect(textOf(parts.join(''))).toEqual(made);
    }),
  );
});

test('secrets are hidden before anything is cut, wherever the file is read in pieces', async () => {
  const said = LEGEND + resource('a', 'created', `      + a = "${'x'.repeat(970)}the-secret-of-the-job"`);
  await using folder = await testdir();
  const file = path.join(folder.path, 'plan.txt');
  await writeFile(file, said);
  const pieces: Uint8Array[] = [];
  // Holds everything back until the end, as a mask may.
  const hiding = {
    push: (output: Uint8Array) => {
      pieces.push(output);
      return new Uint8Array();
    },
    rest: () => Buffer.from(Buffer.concat(pieces).toString().replaceAll('the-secret-of-the-job', '***')),
  };

  const { text, whole } = await readPlanText(file, new AbortController().signal, hiding);

  expect([text.text, whole?.text]).toEqual([expect.stringContaining('x***"'), undefined]);
  expect(text.text).not.toContain('the-secret');
});
