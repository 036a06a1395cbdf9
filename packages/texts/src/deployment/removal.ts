/** What people are told of a root that a merge removes: what its state holds stays, and nothing destroys it. Pure functions. */
import { hasEnded, type Deployment } from '@nereid/domain/deployment';
import { sentence } from '@nereid/forge';

/** Markdown, and good English without it. */
export const REMOVAL_HELP =
  'To destroy the resources, first merge a change that removes them and keeps the root with its backend, let it be applied, ' +
  'and then remove the root. To keep them elsewhere, first merge `removed` blocks for them, or run `terraform state rm`, and ' +
  'give them to another root with `import` blocks.';

type Removal = Pick<Deployment, 'preview' | 'progress'>;

/** Undefined for a deployment that removes no root, or has nothing to say about it. */
export function removalTitle({ preview, progress }: Removal): string | undefined {
  if (preview?.isRemoval !== true) return undefined;
  const { status, plan, failure, reason } = progress;
  if (!hasEnded(status)) return status === 'queued' ? undefined : 'Reading the state of this root, which is removed';
  if (status === 'cancelled') return undefined;
  if (status !== 'planned')
    return `Removes the root, whose state cannot be read: ${failure?.body.summary ?? reason ?? 'its host was lost'}`;
  return plan?.made.body.hasChanges === true
    ? `Removes the root: ${whatStays(plan.made.body.summary.forget)}, nothing destroys ${plan.made.body.summary.forget === 1 ? 'it' : 'them'}`
    : 'Removes the root, whose state holds no resources';
}

/** Markdown; undefined like the title. */
export function removalLead(removal: Removal): string | undefined {
  const { reason } = removal.progress;
  const paragraphs = removalParagraphs(removal, reason === undefined ? [] : [sentence(reason)]);
  return paragraphs.length === 0 ? undefined : paragraphs.join('\n\n');
}

/** The same in Markdown that is good English without its marks. `why` it could not be read, in the words of the surface. */
export function removalParagraphs({ preview, progress }: Removal, why: readonly string[] = []): readonly string[] {
  const { status, plan } = progress;
  if (preview?.isRemoval !== true || status === 'queued' || status === 'cancelled') return [];
  const lead = 'Merging this pull request removes this root.';
  if (!hasEnded(status)) return [`${lead} Terraform is listing what its state holds.`];
  if (status !== 'planned') {
    const unread = `${lead} Its state could not be read, so nobody knows which resources stay. Nothing destroys them. **Re-run** this check to try again.`;
    return [unread, ...why, REMOVAL_HELP];
  }
  if (plan?.made.body.hasChanges !== true) return [`${lead} Its state holds no resources, so nothing is left behind.`];
  const stays = `Nothing destroys what its state holds: ${whatStays(plan.made.body.summary.forget)} as they are, and no plan covers them any more.`;
  return [`${lead} ${stays}`, REMOVAL_HELP];
}

export function whatStays(count: number): string {
  return count === 1 ? '1 resource stays' : `${count} resources stay`;
}
