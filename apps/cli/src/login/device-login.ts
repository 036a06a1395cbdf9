/** A login from a terminal: the person agrees in a browser, on any device. */
import type { DeviceLogin } from '@nereid/api';
import type { Client } from '../client/client.ts';
import { pause } from '../client/send.ts';
import { EXIT, ExitError } from '../exit-code.ts';
import type { Screen } from '../output/screen.ts';
import { createPatience } from '../wait/patience.ts';
import type { World } from '../world.ts';

interface Waiting {
  readonly notes: Screen;
  readonly world: World;
}

/** Returns a session; undefined where the console says why it offers no such login, which the person has been told. */
export async function logInByDevice({ notes, world }: Waiting, client: Client): Promise<string | undefined> {
  const begun = await begin(client);
  if (typeof begun === 'string') {
    notes.line(begun);
    return undefined;
  }
  const { userCode, verificationUri, verificationUriComplete, expiresIn } = begun;
  const endsAt = world.now() + expiresIn * 1_000;
  notes.line(`Open ${verificationUri} and enter the code ${userCode}`);
  if (verificationUriComplete !== undefined)
    notes.line(`or open ${verificationUriComplete} and check that it shows the same code.`);
  notes.line(`Waiting for at most ${Math.ceil(expiresIn / 60)} minutes; Ctrl-C ends it.`);
  return sessionFrom({ notes, world }, client, { ...begun, endsAt });
}

async function begin(client: Client): Promise<DeviceLogin | string> {
  try {
    return (await client.step('beginDeviceLogin', {})).value;
  } catch (error) {
    const isNotOffered = error instanceof ExitError && NOT_OFFERED.has(error.exitCode);
    if (!isNotOffered) throw error;
    return error.message;
  }
}

/** There is no such login there, or nobody has switched it on. */
const NOT_OFFERED: ReadonlySet<number> = new Set([EXIT.notFound, EXIT.refused]);

interface Begun extends Pick<DeviceLogin, 'device' | 'interval'> {
  /** In milliseconds since 1970. */
  readonly endsAt: number;
}

async function sessionFrom({ notes, world }: Waiting, client: Client, begun: Begun): Promise<string> {
  const { signal, now } = world;
  const { device, interval, endsAt } = begun;
  const patience = createPatience({ signal, now, onAway: (why) => notes.line(`${why}; waiting`) });
  for (let intervalS = interval; ;) {
    const leftMs = endsAt - now();
    if (leftMs <= 0) throw new ExitError(EXIT.refused, 'nobody entered the code in time: nereid login shows a new one');
    await pause(Math.min(intervalS * 1_000, leftMs), signal);
    try {
      const { value } = await client.step('finishDeviceLogin', { device });
      if (value.state === 'done') return value.session;
      patience.wasThere();
      intervalS += value.slowDownS ?? 0;
    } catch (error) {
      await patience.endure(error);
    }
  }
}
