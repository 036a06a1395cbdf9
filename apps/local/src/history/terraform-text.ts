/** What Terraform would have printed. */
import type { AppliedCounts } from '@nereid/domain/deployment';
import { summaryOf, type Edit } from './edit.ts';

const BEGIN = `Initializing the backend...

Successfully configured the backend "local"! Terraform will automatically
use this backend unless the backend configuration changes.
Initializing modules...
- baseline in ../modules/baseline
Initializing provider plugins...
- terraform.io/builtin/terraform is built in to Terraform

Terraform has been successfully initialized!
`;

export function planLog(edits: readonly Edit[]): string {
  const text = planText(edits);
  if (text === undefined) {
    return `${BEGIN}
No changes. Your infrastructure matches the configuration.

Terraform has compared your real infrastructure against your configuration
and found no differences, so no changes are needed.
`;
  }
  return `${BEGIN}
Terraform used the selected providers to generate the following execution
plan. Resource actions are indicated with the following symbols:
${symbolsOf(edits)}

Terraform will perform the following actions:

${text}
`;
}

export function failedPlanLog(failure: readonly string[]): string {
  return `${BEGIN}${framed(failure)}`;
}

/** Undefined for a plan without changes. */
export function planText(edits: readonly Edit[]): string | undefined {
  const changes = edits.filter(({ action }) => action !== 'explain');
  if (changes.length === 0) return undefined;
  const { create, update, replace, delete: removed } = summaryOf(changes);
  const counts = `Plan: ${create + replace} to add, ${update} to change, ${removed + replace} to destroy.`;
  return [...changes.map(blockOf), counts].join('\n\n');
}

export function applyLog(edits: readonly Edit[], counts: AppliedCounts): string {
  const { added, changed, destroyed } = counts;
  return `${linesOf(edits).join('\n')}

Apply complete! Resources: ${added} added, ${changed} changed, ${destroyed} destroyed.
`;
}

export function failedApplyLog(edits: readonly Edit[], failure: readonly string[]): string {
  return `${linesOf(edits)
    .filter((line) => !line.includes('complete'))
    .join('\n')}\n${framed(failure)}`;
}

/** The log of an apply whose host went away. */
export function brokenApplyLog(edits: readonly Edit[]): string {
  const still = linesOf(edits).filter((line) => line.endsWith('ing...'));
  const waiting = still.map((line) =>
    line.replace(
      /: (\w)(\w+)\.\.\.$/,
      (_all, first: string, rest: string) => `: Still ${first.toLowerCase()}${rest}... [00m10s elapsed]`,
    ),
  );
  return `${linesOf(edits)
    .filter((line) => !line.includes('complete'))
    .join('\n')}\n${waiting.join('\n')}\n`;
}

const WORDS = {
  create: { will: 'will be created', sign: '+', begins: 'Creating...', done: 'Creation' },
  update: { will: 'will be updated in-place', sign: '~', begins: 'Modifying...', done: 'Modifications' },
  replace: { will: 'must be replaced', sign: '-/+', begins: 'Creating...', done: 'Creation' },
  delete: { will: 'will be destroyed', sign: '-', begins: 'Destroying...', done: 'Destruction' },
} as const;

const SYMBOLS = {
  create: '  + create',
  update: '  ~ update in-place',
  replace: '-/+ destroy and then create replacement',
  delete: '  - destroy',
} as const;

function symbolsOf(edits: readonly Edit[]): string {
  const actions = new Set(edits.map(({ action }) => action));
  return [...actions].flatMap((action) => (action === 'explain' ? [] : [SYMBOLS[action]])).join('\n');
}

function blockOf({ address, action, rootName, attribute, from, to }: Edit): string {
  if (action === 'explain') return '';
  const { will, sign } = WORDS[action];
  const name = address.split('.').at(-1) ?? '';
  const input = {
    create: `root    = "${rootName}"\n          + ${attribute} = ${to}`,
    update: `${attribute} = ${from} -> ${to}`,
    replace: `${attribute} = ${from} -> ${to} # forces replacement`,
    delete: `${attribute} = ${from} -> null`,
  }[action];
  const inner = action === 'replace' ? '~' : sign;
  return `  # ${address} ${will}
${sign.padStart(3)} resource "terraform_data" "${name}" {
      ${inner} input  = {
          ${inner} ${input}
        }
      ${inner} output = ${action === 'delete' ? '{ … } -> null' : '(known after apply)'}
    }`;
}

function linesOf(edits: readonly Edit[]): readonly string[] {
  return edits.flatMap(({ address, action }) => {
    if (action === 'explain') return [];
    const { begins, done } = WORDS[action];
    return [`${address}: ${begins}`, `${address}: ${done} complete after 1s`];
  });
}

/** As Terraform draws its errors. */
function framed(lines: readonly string[]): string {
  return ['╷', ...lines.map((line) => `│ ${line}`.trimEnd()), '╵', ''].join('\n');
}
