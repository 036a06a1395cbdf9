/** What a change does to one resource of one root. */
import { NO_CHANGES, type PlanSummary, type ResourceChange } from '@nereid/domain/plan';
import type { DeployedRoot } from '../stack/own-states.ts';
import type { IdeaAction } from './pull-request-ideas.ts';

export interface Edit {
  readonly rootName: string;
  readonly address: string;
  readonly action: IdeaAction;
  /** The attribute of the resource's input that changes, and its numbers. */
  readonly attribute: 'version' | 'days';
  readonly from: number;
  readonly to: number;
}

export function summaryOf(edits: readonly Edit[]): PlanSummary {
  const count = (action: IdeaAction) => edits.filter((edit) => edit.action === action).length;
  return {
    ...NO_CHANGES,
    ...{ create: count('create'), update: count('update'), replace: count('replace'), delete: count('delete') },
    resources: edits.flatMap(({ address, action }): readonly ResourceChange[] =>
      action === 'explain' ? [] : [{ address, action }],
    ),
    omitted: 0,
  };
}

/** Of a resource of the root itself, whose content has that version before. */
export function editOf({ name }: DeployedRoot, resource: string, action: IdeaAction, from: number): Edit {
  const to = action === 'delete' ? 0 : action === 'explain' ? from : from + 1;
  return { rootName: name, address: `terraform_data.${resource}`, action, attribute: 'version', from, to };
}

/** Resources that every root has had for long. */
const OLD: readonly string[] = ['alert', 'backup'];

export function firstVersion(resource: string): number {
  return OLD.includes(resource) ? 1 : 0;
}

/** The files of what the roots have had for long. */
export function oldFiles(roots: readonly DeployedRoot[]): Readonly<Record<string, string | null>> {
  const files = roots.flatMap((root) =>
    OLD.map((resource) => [fileOf(root, resource), resourceFile(editOf(root, resource, 'create', 0))] as const),
  );
  return Object.fromEntries(files);
}

/** Of the module that all roots use. */
export function baselineEdit({ name }: DeployedRoot, from: number, to: number): Edit {
  return {
    rootName: name,
    address: 'module.baseline.terraform_data.logs',
    action: 'update',
    attribute: 'days',
    from,
    to,
  };
}

export function fileOf({ name }: DeployedRoot, resource: string): string {
  return `${name}/${resource}.tf`;
}

/** The file of a resource of the root itself, with `more` inside; null when the resource goes. */
export function resourceFile({ rootName, address, action, to }: Edit, more = ''): string | null {
  if (action === 'delete') return null;
  const name = address.split('.').at(-1) ?? '';
  const comment = action === 'explain' ? `# ${name} of ${rootName}: see the handbook.\n` : '';
  const replaced = action === 'replace' ? `  triggers_replace = ${to}\n` : '';
  return `${comment}resource "terraform_data" "${name}" {
  input = { root = "${rootName}", version = ${to} }
${replaced}${more}}
`;
}
