/** A shorter prefix could match another plan's digest by chance. */
const DIGEST_PREFIX = /^[0-9a-f]{12,64}$/;

/** Whether a review is of this plan: it names the plan's digest, or the first 12 hex digits of it as a button carries them. */
export function namesPlan(review: { readonly digest: string }, plan: { readonly digest: string }): boolean {
  return DIGEST_PREFIX.test(review.digest) && plan.digest.startsWith(review.digest);
}
