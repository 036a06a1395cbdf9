import { durationText } from '@nereid/domain/duration';
import type { RootPlace } from '../server/glob.ts';
import type { ServerConfig } from '../server/server-config.ts';
import type { ChangeWindow } from '../server/windows/change-window.ts';
import { windowsFor } from '../server/windows/window-state.ts';
import type { ExplainedSetting } from './explanation.ts';
import { placeIn, type NamedSource } from './parts.ts';
import { matchOf } from './together.ts';

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
    .map(([index, window]) => ({
      key: `windows.${window.name}`,
      value: describeTimes(window),
      isDefault: false,
      choice: 'together',
      sources: [
        {
          ...{ kind: 'server', at: placeIn(named, ['windows', index]), match: matchOf(window, place) },
          ...{ value: window.kind, counts: true },
        },
      ],
    }));
}

/** "deny plan and apply for 12h from 2026-01-05T20:00 Europe/Berlin, again by FREQ=DAILY". */
function describeTimes({ kind, doors, durationMs, dtstart, timezone, rrule }: ChangeWindow): string {
  const first = `${kind} ${doors.join(' and ')} for ${durationText(durationMs)} from ${dtstart} ${timezone}`;
  return rrule === undefined ? first : `${first}, again by ${rrule}`;
}
