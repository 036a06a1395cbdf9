/**
 * Variables in `extra_args` of the server's file, such as `-var-file=env/${workspace}.tfvars`. They are written out where a root is
 * resolved, so an order has only plain arguments. No shell takes part. `$${` stands for `${` itself, as in Terraform.
 */
import type { Root, Step } from '@nereid/domain/root';
import { posix } from 'node:path';

/** What of a root an argument may contain; nothing else of a repository. */
type Described = Pick<Root, 'name' | 'dir' | 'workspace'>;

const VALUES = {
  'root.name': ({ name }: Described) => name,
  'root.dir': ({ dir }: Described) => posix.normalize(dir),
  workspace: ({ workspace }: Described) => workspace,
} as const;

export const ARGUMENT_VARIABLES = Object.keys(VALUES);

/** An escaped `${`, or a variable, which may lack its end. */
const REFERENCE = /\$\$\{|\$\{([^}]*)(\}?)/g;

export interface Reference {
  /** As it is written between the braces. */
  readonly name: string;
  readonly isKnown: boolean;
  /** The part of the argument before it. */
  readonly before: string;
}

export function referencesIn(argument: string): readonly Reference[] {
  return Array.from(argument.matchAll(REFERENCE)).flatMap(({ 1: name, 2: end, index }) =>
    name === undefined ? [] : { name, isKnown: end === '}' && isVariable(name), before: argument.slice(0, index) },
  );
}

/** The steps with the values of this root in their arguments. The rules let no unknown variable through. */
export function withArgumentsOf(steps: Root['steps'], root: Described): Root['steps'] {
  const expand = (step: Step): Step =>
    'extraArgs' in step ? { ...step, extraArgs: step.extraArgs.map((argument) => expanded(argument, root)) } : step;
  return { plan: steps.plan.map(expand), apply: steps.apply.map(expand) };
}

function expanded(argument: string, root: Described): string {
  return argument.replaceAll(REFERENCE, (written, name?: string) => {
    if (name === undefined) return '${';
    if (isVariable(name)) return VALUES[name](root);
    throw new Error(`expected variables of arguments, found ${written}; the rules of the file let it through`);
  });
}

function isVariable(name: string): name is keyof typeof VALUES {
  return Object.hasOwn(VALUES, name);
}
