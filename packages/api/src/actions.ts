/** Operations that change something, one for each action that the console takes. All answer a `RequestAnswer`. */
import { ACTIONS, CONSOLE_ACTIONS, type BodyField, type ConsoleAction, type Subject } from '@nereid/domain/actions';
import { z } from 'zod';
import { HostId, Owner, PoolName, RepositoryName, RootName } from '@nereid/domain/fields';
import { capitalised } from '@nereid/domain/words';
import {
  Directories,
  Duration,
  Lock,
  NoBody,
  Reason,
  Revision,
  Roots,
  Seen,
  SomeRoots,
  WaveNumber,
} from './requests.ts';

export interface ActionOperation {
  /** Below `/api/v1`. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: z.ZodObject;
}

const NOTHING = z.object({});

const OfDeployment = z.object({ id: z.uuid() });

/** Saves a question to Temporal, and finds what Temporal has forgotten. */
const OfLane = z.object({
  lane: z.string().min(1).max(300).optional().meta({ description: 'The lane of the deployment as `owner/name/root`.' }),
});

const OfPullRequest = z.object({
  owner: Owner,
  name: RepositoryName,
  number: z.coerce.number().int().min(1).max(1_000_000_000),
});

/** As the server's file has it, or `github.deployments`. */
const DestinationName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,49}$/);

/** Where actions about the same have their paths, and what each of them takes. */
const PLACES = {
  plan: { path: '/deployments/{id}', parameters: OfDeployment, query: OfLane, body: { seen: Seen } },
  preview: {
    path: '/pulls/{owner}/{name}/{number}',
    parameters: OfPullRequest,
    query: NOTHING,
    body: { root: RootName, preview: z.uuid(), seen: Seen },
  },
  deployment: { path: '/deployments/{id}', parameters: OfDeployment, query: OfLane, body: {} },
  lane: {
    path: '/lanes/{owner}/{name}/{root}',
    parameters: z.object({ owner: Owner, name: RepositoryName, root: RootName }),
    query: NOTHING,
    body: {},
  },
  'pull-request': { path: '/pulls/{owner}/{name}/{number}', parameters: OfPullRequest, query: NOTHING, body: {} },
  repository: {
    path: '/repositories/{owner}/{name}',
    parameters: z.object({ owner: Owner, name: RepositoryName }),
    query: NOTHING,
    body: {},
  },
  destination: {
    path: '/notifications/{name}',
    parameters: z.object({ name: DestinationName }),
    query: NOTHING,
    body: {},
  },
  pool: { path: '/pools/{pool}', parameters: z.object({ pool: PoolName }), query: NOTHING, body: {} },
  host: { path: '/hosts/{id}', parameters: z.object({ id: HostId }), query: NOTHING, body: {} },
} as const satisfies Readonly<Record<Subject, Place>>;

interface Place extends Omit<ActionOperation, 'summary' | 'body'> {
  readonly body: z.ZodRawShape;
}

const FIELDS = {
  lock: Lock,
  revision: Revision,
  roots: Roots,
  'some-roots': SomeRoots,
  duration: Duration,
  reason: Reason,
  directories: Directories,
  wave: WaveNumber,
} as const satisfies Readonly<Record<BodyField, z.ZodType>>;

type Rows = typeof ACTIONS;

type PlaceOf<Name extends ConsoleAction> = (typeof PLACES)[Rows[Name]['about']];

type Operations = {
  readonly [Name in ConsoleAction]: {
    readonly path: string;
    readonly summary: string;
    readonly parameters: PlaceOf<Name>['parameters'];
    readonly query: PlaceOf<Name>['query'];
    readonly body: ObjectOf<PlaceOf<Name>['body'] & FieldsOf<Rows[Name]['console']['body']>>;
  };
};

type ObjectOf<Shape> = Shape extends z.ZodRawShape ? z.ZodObject<Shape> : never;

type FieldsOf<Fields extends Readonly<Record<string, BodyField>>> = {
  readonly [Field in keyof Fields]: (typeof FIELDS)[Fields[Field]];
};

export const ACTION_OPERATIONS = Object.fromEntries(
  CONSOLE_ACTIONS.map((name) => [name, operationOf(name)]),
) as unknown as Operations; // Each is built from the types of its row.

function operationOf(name: ConsoleAction): ActionOperation {
  const { about, verb, summary, judgedBy, console } = ACTIONS[name];
  const { path, parameters, query, body } = PLACES[about];
  const fields = Object.entries<BodyField>(console.body).map(([field, kind]) => [field, FIELDS[kind]] as const);
  return {
    path: `${path}/${verb}`,
    summary: `${capitalised(summary)}${judgedBy === 'operators' ? '; for operators' : ''}.`,
    parameters,
    query,
    body: bodyOf(name, { ...body, ...Object.fromEntries(fields) }),
  };
}

function bodyOf(name: ConsoleAction, shape: z.ZodRawShape): z.ZodObject {
  if (Object.keys(shape).length === 0) return NoBody;
  return z.strictObject(shape).meta({ id: `${inPascalCase(name)}Body` });
}

function inPascalCase(name: string): string {
  return name
    .split('_')
    .map((word) => capitalised(word))
    .join('');
}
