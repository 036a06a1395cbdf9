/** What Temporal's library says of a history that the code does not follow, for an operator. */
import type { History } from './open-histories.ts';

export interface Difference {
  /** The event of the history that the code does not lead to; undefined where the library names none. */
  readonly event: { readonly id: number; readonly type: string } | undefined;
  readonly what: string;
}

const PREFIX = /^Replay failed .*?Details: /s;
/** Within a failure, as the library's Rust shows it. */
const MESSAGE = /\bmessage: "(?<message>(?:[^"\\]|\\.)*)"/s;
const CODE = /^\[TMPRL\d+\] (?:Nondeterminism error: )?/;
const EVENT = /HistoryEvent\(id: (?<id>\d+), (?<type>\w+)\)/;
const PATCH = /patch marker encountered for change (?<patch>.+?), but/;

/** `message` comes from the library's error. */
export function describeBreak(message: string, history: History): Difference {
  const details = message.replace(PREFIX, '');
  const said = (MESSAGE.exec(details)?.groups?.['message'] ?? details).replace(CODE, '');
  const patch = PATCH.exec(said)?.groups?.['patch'];
  if (patch !== undefined) {
    const what = `it took the step ${patch} of another release, which this code lacks`;
    return { event: markerOf(patch, history), what };
  }
  const { id, type } = EVENT.exec(said)?.groups ?? {};
  return { event: id === undefined || type === undefined ? undefined : { id: Number(id), type }, what: said };
}

/** The name that Temporal's libraries give to the marker of a `patched` step. */
const PATCH_MARKER = 'core_patch';

function markerOf(patch: string, { events }: History): Difference['event'] {
  const marker = events?.find(({ markerRecordedEventAttributes: marked }) => {
    const payloads = Object.values(marked?.details ?? {}).flatMap(({ payloads: all }) => all ?? []);
    const isNamed = payloads.some(({ data }) => Buffer.from(data ?? []).includes(JSON.stringify(patch)));
    return marked?.markerName === PATCH_MARKER && isNamed;
  });
  return marker && { id: Number(marker.eventId), type: 'MarkerRecorded' };
}
