/**
 * Whether the server's file confirms a plan itself. A rule judges what the plan says that it does, so a person is asked wherever that
 * may not be all.
 */
import type { MadePlan } from '../../plan/model.ts';
import type { ChangeAction } from '../../plan/summary.ts';
import type { AutoRule, RuledChange } from '../../root/model.ts';

export type RuledPlan = Pick<MadePlan, 'summary' | 'types' | 'policies' | 'doubt'>;

/** As a summary counts them. */
const COUNTED = {
  destroy: 'delete',
  replace: 'replace',
  forget: 'forget',
  change: 'update',
  create: 'create',
  import: 'import',
  move: 'move',
} as const satisfies Readonly<Record<RuledChange, ChangeAction>>;

/** Whether there are rules, and the plan fits all of them. */
export function isConfirmedByRules(rules: readonly AutoRule[] = [], plan: RuledPlan): boolean {
  return rules.length > 0 && rules.every((rule) => fits(rule, plan));
}

function fits({ no, onlyTypes, maxChanges, policies = [] }: AutoRule, plan: RuledPlan): boolean {
  const { summary, types, policies: results = [], doubt } = plan;
  if (doubt !== undefined || summary.unknown || summary.omitted > 0 || types === undefined) return false;
  if (no.some((change) => summary[COUNTED[change]] > 0)) return false;
  if (onlyTypes !== undefined && !types.every((type) => onlyTypes.some((pattern) => isOfType(pattern, type))))
    return false;
  if (maxChanges !== undefined && summary.resources.length > maxChanges) return false;
  return policies.every((name) => results.some((result) => result.name === name && result.verdict === 'passed'));
}

/** The pattern has letters, digits, `_` and `*` alone. */
function isOfType(pattern: string, type: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return type === pattern;
  const last = rest.pop() ?? '';
  if (!type.startsWith(first) || !type.endsWith(last) || type.length < first.length + last.length) return false;
  let between = type.slice(first.length, type.length - last.length);
  for (const part of rest) {
    const at = between.indexOf(part);
    if (at < 0) return false;
    between = between.slice(at + part.length);
  }
  return true;
}

/** "the rule of prod/**: no destroy, replace or forget, only aws_route53_*, at most 20 changes". Each word is true of the plan. */
export function describeRules(rules: readonly AutoRule[]): string {
  return rules.map((rule) => `the rule of ${rule.of}: ${partsOf(rule).join(', ')}`).join('; and by ');
}

function partsOf({ no, onlyTypes = [], maxChanges, policies = [] }: AutoRule): readonly string[] {
  const parts = [
    ...(no.length > 0 ? [`no ${listed(no, 'or')}`] : []),
    ...(onlyTypes.length > 0 ? [`only ${listed(onlyTypes, 'and')}`] : []),
    ...(maxChanges === undefined ? [] : [`at most ${maxChanges} ${maxChanges === 1 ? 'change' : 'changes'}`]),
    ...(policies.length > 0 ? [`passed by ${listed(policies, 'and')}`] : []),
  ];
  return parts.length > 0 ? parts : ['any change that this release knows'];
}

function listed(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`;
}
