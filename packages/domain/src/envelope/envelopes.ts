/**
 * Who says what: for each envelope, who has the key that signs it, and its kinds. A kind stands in the type of the signature, so
 * that one is never taken for another. Each kind has the fields that say what it is about: whoever opens it has to name them.
 */
export const ENVELOPES = {
  /** The gateway says what the forge sent. */
  event: { signedBy: 'gateway', kinds: { github: [] } },
  /** The console says what a person asked for, whose own proof stands in it. */
  request: { signedBy: 'console', kinds: { person: [] } },
  /** Control says what is to be done, after it has judged who asked for it. A host is told what it is about by the order alone. */
  order: { signedBy: 'orders', kinds: { deploy: [], preview: [], 'force-unlock': [], 'wave-check': [] } },
  /** Control says what it found out about people, and what they asked for. */
  decision: {
    signedBy: 'orders',
    kinds: {
      action: ['delivery'],
      access: ['login', 'repositories', 'nonce'],
      notice: ['deploymentId'],
      cancel: ['deploymentId'],
      unlock: ['repository', 'rootName'],
      review: ['deploymentId'],
      override: ['deploymentId'],
      extension: ['deploymentId'],
      'merge-review': ['rootName'],
      redaction: ['deploymentId'],
      stop: ['repository'],
      'pool-stop': ['pool'],
      'break-glass': ['repository', 'deploymentId'],
      'skip-soak': ['repository', 'rollout'],
      'wave-checks': ['repository', 'rollout', 'wave'],
    },
  },
  /** Control says that a plan may be applied. */
  go: { signedBy: 'orders', kinds: { apply: ['deploymentId', 'order'] } },
  /** Control hands over what it sealed to a pool. */
  token: {
    signedBy: 'orders',
    kinds: {
      read: ['repository', 'deploymentId'],
      identity: ['repository', 'deploymentId', 'phase', 'go'],
    },
  },
  /** A host says that it took a deployment. */
  claim: { signedBy: 'pool', kinds: { host: ['deploymentId', 'hostId'] } },
  /** A host says what came of its work. */
  result: {
    signedBy: 'pool',
    kinds: {
      plan: ['deploymentId', 'order'],
      outcome: ['deploymentId', 'order'],
      failure: ['deploymentId', 'order'],
      'force-unlocked': ['forceUnlockId', 'order'],
      'wave-checked': ['waveCheckId', 'order'],
      'late-outcome': [],
    },
  },
} as const;

/** Such as `result/late-outcome`. */
export type EnvelopeKind = {
  [Name in EnvelopeName]: `${Name}/${keyof Rows[Name]['kinds'] & string}`;
}[EnvelopeName];

type Rows = typeof ENVELOPES;

export type EnvelopeName = keyof Rows;

/** Whose key signs it: the key of the gateway, of the console, of control (`orders`), or of the hosts of a pool. */
export type Holder = 'gateway' | 'console' | 'orders' | 'pool';

export type HolderOf<Kind extends EnvelopeKind> = Kind extends `${infer Name extends EnvelopeName}/${string}`
  ? Rows[Name]['signedBy']
  : never;

/** The names of the fields that say what it is about. */
export type AboutField<Kind extends EnvelopeKind> = Kind extends `${infer Name extends EnvelopeName}/${infer Own}`
  ? Own extends keyof Rows[Name]['kinds']
    ? FieldOf<Rows[Name]['kinds'][Own]>
    : never
  : never;

type FieldOf<Fields> = Fields extends readonly (infer Field extends string)[] ? Field : never;

export const ENVELOPE_KINDS: readonly EnvelopeKind[] = Object.entries(ENVELOPES).flatMap(([name, { kinds }]) =>
  Object.keys(kinds).map((own) => `${name}/${own}` as EnvelopeKind),
);

export function holderOf(kind: EnvelopeKind): Holder {
  return ENVELOPES[nameOf(kind)].signedBy;
}

export function aboutFieldsOf(kind: EnvelopeKind): readonly string[] {
  const { kinds }: { readonly kinds: Readonly<Record<string, readonly string[]>> } = ENVELOPES[nameOf(kind)];
  return kinds[kind.slice(kind.indexOf('/') + 1)] ?? [];
}

function nameOf(kind: EnvelopeKind): EnvelopeName {
  return kind.slice(0, kind.indexOf('/')) as EnvelopeName; // As the type of kinds has it.
}
