import { freePort, isFreePort, type Report } from '@nereid/test-kit';

export interface Ports {
  readonly temporal: number;
  readonly temporalUi: number;
  readonly github: number;
  readonly gateway: number;
  readonly worker: number;
  /** Always a free port, because no person needs to know it. */
  readonly secondWorker: number;
  /** Of the first worker. Always a free port, too. */
  readonly metrics: number;
  readonly console: number;
}

type UsualPorts = Omit<Ports, 'secondWorker' | 'metrics'>;

/** The ports in the documentation, and one near them for the GitHub stand-in. */
const USUAL: UsualPorts = {
  temporal: 7233,
  temporalUi: 8233,
  github: 4140,
  gateway: 4143,
  worker: 4142,
  console: 4144,
};

const LISTENERS: Readonly<Record<keyof UsualPorts, string>> = {
  temporal: 'Temporal',
  temporalUi: "Temporal's UI",
  github: 'the GitHub stand-in',
  gateway: 'the gateway',
  worker: 'the worker',
  console: 'the console',
};

/** The usual ports, except that a port which is taken is replaced by a free one and reported; or only free ports. */
export async function choosePorts(kind: 'usual' | 'free', report: Report, usual: UsualPorts = USUAL): Promise<Ports> {
  const pick = async (listener: keyof UsualPorts) => {
    const port = usual[listener];
    if (kind === 'usual' && (await isFreePort(port))) return port;
    const other = await freePort();
    if (kind === 'usual') report(`port ${port} is taken: ${LISTENERS[listener]} listens on ${other}`);
    return other;
  };
  return {
    temporal: await pick('temporal'),
    temporalUi: await pick('temporalUi'),
    github: await pick('github'),
    gateway: await pick('gateway'),
    worker: await pick('worker'),
    secondWorker: await freePort(),
    metrics: await freePort(),
    console: await pick('console'),
  };
}
