import { durationText } from '@nereid/domain/duration';
import type { RootPlace } from '../server/glob.ts';
import type { ServerConfig } from '../server/server-config.ts';
import type { ChangeWindow } from '../server/windows/change-window.ts';
import { windowsFor } from '../server/windows/window-state.ts';
import type { ExplainedSetting } from './explanation.ts';
import { explainEntry } from './explain-entry.ts';
import type { NamedSource } from './parts.ts';

/** All windows of a root hold. */
export function explainWindows(
  server: Pick<ServerConfig, 'windows'>,
  named: NamedSource,
  repository: string,
  place: RootPlace,
): readonly ExplainedSetting[] {
  const own = new Set(
    (['plan', 'apply'] as const).flatMap((door) => windowsFor(server, repository, place, door).flat()),
  );
  return [...server.windows.entries()]
    .filter(([, window]) => own.has(window))
    .map(([index, entry]) =>
      explainEntry(
        { section: 'windows', index, entry, value: describeTimes(entry), written: entry.kind },
        named,
        place,
      ),
    );
}

/** "deny plan and apply for 12h from 2026-01-05T20:00 Europe/Berlin, again by FREQ=DAILY". */
function describeTimes({ kind, doors, durationMs, dtstart, timezone, rrule }: ChangeWindow): string {
  const first = `${kind} ${doors.join(' and ')} for ${durationText(durationMs)} from ${dtstart} ${timezone}`;
  return rrule === undefined ? first : `${first}, again by ${rrule}`;
}
