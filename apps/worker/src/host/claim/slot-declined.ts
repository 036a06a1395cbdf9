import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Slots, SlotUse } from './slots.ts';

/** The caller tries again, here or elsewhere: nothing is wrong with a host that drains or has no slot. */
export function slotDeclined(slots: Pick<Slots, 'usage'>, use: SlotUse = 'deployment'): ApplicationFailure {
  const { total, used, draining, previews } = slots.usage();
  const inUse =
    use === 'preview' && used < total
      ? `${previews.used} of ${previews.total} slots for previews are in use`
      : `${used} of ${total} slots are in use`;
  return ApplicationFailure.create({
    message: draining ? 'the host is draining' : inUse,
    type: 'HOST_DECLINED',
    category: ApplicationFailureCategory.BENIGN,
  });
}
