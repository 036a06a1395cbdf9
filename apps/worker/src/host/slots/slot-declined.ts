import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Slots } from './slots.ts';

/** The caller tries again, here or elsewhere: nothing is wrong with a host that drains or has no slot. */
export function slotDeclined(slots: Pick<Slots, 'usage'>): ApplicationFailure {
  const { total, used, draining } = slots.usage();
  return ApplicationFailure.create({
    message: draining ? 'the host is draining' : `${used} of ${total} slots are in use`,
    type: 'HOST_DECLINED',
    category: ApplicationFailureCategory.BENIGN,
  });
}
