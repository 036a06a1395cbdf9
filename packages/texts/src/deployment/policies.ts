/** What the policies say of a plan: those that hold it up first, then by name. Their messages are foreign text. */
import type { Deployment } from '@nereid/domain/deployment';
import type { PolicyResult } from '@nereid/domain/plan';
import { namePolicies, objectingPolicies } from '@nereid/domain/gates';
import { capitalised } from '@nereid/domain/words';
import { fenced, person, sentence, time } from '@nereid/forge';

/** One block for each policy; none when no policy is about the root. */
export function policyBlocks({ progress }: Deployment): string[] {
  const { plan, overrides = [] } = progress;
  const results = (plan?.made.body.policies ?? []).toSorted((one, other) => weightOf(other) - weightOf(one));
  return results.flatMap((result) => {
    const by = overrides.find(({ body }) => body.policies.includes(result.name))?.body;
    const note = by ? ` Overridden by ${person(by.by)}, ${time(by.at)}.` : '';
    return [
      `**Policy ${sentence(result.name)}** ${VERDICT[result.verdict]}${kindOf(result)}.${note}`,
      ...messagesOf(result),
    ];
  });
}

/** Who has to let the plan go on; undefined when nothing holds it up. */
export function objectionLead(deployment: Deployment): string | undefined {
  const objecting = objectionsTo(deployment);
  if (objecting.length === 0) return undefined;
  const names = sentence(namePolicies(objecting.map(({ name }) => name)));
  const verb = objecting.length === 1 ? 'denies' : 'deny';
  if (deployment.preview)
    return `${capitalised(names)} ${verb} this plan. Change it, or ask the owners: after the merge, the new plan is judged again, and an owner may override it there. Nobody can override a preview.`;
  const owners = objecting.map(
    ({ name, owners: who = 'an owner' }) => `- ${sentence(name)}: ${sentence(who)}, with write permission`,
  );
  const next = deployment.progress.plan?.reviewRequired === true ? 'lets it be confirmed' : 'applies it';
  return [
    `${capitalised(names)} ${verb} this plan. **Override** ${next}; **Reject** ends this deployment. It takes:`,
    owners.join('\n'),
  ].join('\n\n');
}

/** "Policy cost denies"; undefined when nothing holds the plan up. */
export function objectionTitle(deployment: Deployment): string | undefined {
  const [first, ...others] = objectionsTo(deployment);
  if (first === undefined) return undefined;
  if (others.length > 0) return `${1 + others.length} policies deny`;
  const [reason] = first.denials;
  return `Policy ${first.name} denies${reason === undefined ? '' : `: ${reason}`}`;
}

export function objectionsTo({ progress }: Deployment): readonly PolicyResult[] {
  return progress.plan === undefined ? [] : objectingPolicies(progress.plan.made.body, progress.overrides);
}

const VERDICT = {
  passed: 'passed',
  denied: 'denies',
  error: 'could not be evaluated, which counts as a denial',
} as const;

function kindOf({ enforce, verdict }: PolicyResult): string {
  return enforce === 'advisory' && verdict !== 'passed' ? ', but is only advice' : '';
}

function messagesOf({ denials, warnings, omitted }: PolicyResult): string[] {
  const lines = [...denials.map((line) => `- ${line}`), ...warnings.map((line) => `! ${line}`)];
  return [
    ...(lines.length > 0 ? [fenced(lines, 'diff')] : []),
    ...(omitted === undefined ? [] : [`… and ${omitted} more: see the log.`]),
  ];
}

function weightOf({ enforce, verdict }: PolicyResult): number {
  if (verdict === 'passed') return 0;
  return enforce === 'required' ? 2 : 1;
}
