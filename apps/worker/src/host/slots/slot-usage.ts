/** How the slots of a host are used. */

/** The use of a slot; by default a deployment. */
export type SlotUse = 'deployment' | 'preview';

export interface SlotUsage {
  readonly total: number;
  readonly used: number;
  readonly draining: boolean;
  /** Those of them that previews may keep, and hold. */
  readonly previews: { readonly total: number; readonly used: number };
  /** Those that previews hold only until a deployment needs them. */
  readonly borrowed: number;
}

/** How many slots are left for that use. Negative when work that runs in any case exceeds the total. */
export function slotsLeft({ total, used, borrowed }: SlotUsage, use: SlotUse): number {
  return use === 'preview' ? total - used : total - used + borrowed;
}
