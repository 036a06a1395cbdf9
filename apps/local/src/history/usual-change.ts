/** A pull request as people open them every day: the same idea for a root or a few. */
import type { Random } from '../random.ts';
import { editOf, fileOf, resourceFile } from './edit.ts';
import { WRITERS } from './made-up-repositories.ts';
import { IDEAS, titleOf, type IdeaAction } from './pull-request-ideas.ts';
import type { WeekUnderWay } from './week-under-way.ts';

/** Does nothing when no root is free. */
export function usualChange(week: WeekUnderWay, atMs: number): void {
  const { random, versionOf, propose, deploy } = week;
  const [first, ...others] = shuffled(random, week.freeRoots(atMs));
  if (first === undefined) return;
  const { resource, ...idea } = random.pick(IDEAS);
  const isThere = versionOf(first, resource) > 0;
  const alike = others.filter((root) => versionOf(root, resource) > 0 === isThere);
  const roots = [first, ...alike.slice(0, random.chance(0.3) ? 1 + random.integer(2) : 0)];
  const action = actionOf(random, isThere);
  const edits = roots.map((root) => ({ root, edit: editOf(root, resource, action, versionOf(root, resource)) }));
  const files = edits.map(({ root, edit }) => [fileOf(root, resource), resourceFile(edit)] as const);
  const title = titleOf({ resource, ...idea }, action, listed(roots.map(({ name }) => name)));
  const author = random.pick(WRITERS);
  const branch = `${first.name}-${resource}`;
  const number = propose({ title, author, branch, files: Object.fromEntries(files) }, atMs);
  for (const { root, edit } of edits) {
    week.setVersion(root, resource, edit.to);
    deploy({ root, number, atMs, edits: [edit], author });
  }
}

function actionOf(random: Random, isThere: boolean): IdeaAction {
  return isThere ? random.pick(['update', 'update', 'update', 'replace', 'delete', 'explain']) : 'create';
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

function shuffled<T>(random: Random, values: readonly T[]): readonly T[] {
  return values
    .map((value) => ({ value, order: random.integer(1_000_000) }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ value }) => value);
}
