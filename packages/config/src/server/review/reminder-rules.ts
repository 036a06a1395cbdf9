/** Rules about reminders, beyond the shape of their keys. */
import { durationText } from '@nereid/domain/duration';
import type { Report } from '../../yaml/report.ts';
import { settingsOf, type ReviewSubject } from './review-rules.ts';

export function workingHoursEndAfterTheyBegin(subject: ReviewSubject, report: Report): void {
  for (const { path, settings } of settingsOf(subject)) {
    const { hours } = settings.review ?? {};
    if (hours !== undefined && hours.toMs <= hours.fromMs)
      report.error(
        [...path, 'review', 'hours', 'to'],
        'expected a time of day after from, on the same day; 24:00 is midnight',
      );
  }
}

/** A review that has expired needs nobody any more. */
export function remindersComeInTime(subject: ReviewSubject, report: Report): void {
  for (const { path, settings } of settingsOf(subject)) {
    const { expiresMs, remindMs = [], escalate } = settings.review ?? {};
    if (expiresMs === undefined) continue;
    const warn = (key: string, afterMs: number) => {
      report.warn(
        [...path, 'review', key],
        `expected a time before the review expires, after ${durationText(expiresMs)}, found ${durationText(afterMs)}: nobody is reminded then; shorten it, or prolong expires`,
      );
    };
    const late = remindMs.find((afterMs) => afterMs >= expiresMs);
    if (late !== undefined) warn('remind', late);
    if (escalate !== undefined && escalate.afterMs >= expiresMs) warn('escalate', escalate.afterMs);
  }
}
