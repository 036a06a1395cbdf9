/** Reads the network policies of the chart as a cluster does: what none of them allows is forbidden. */
import { BlockList, isIPv6 } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { EXAMPLE_FILES } from './chart-files.ts';
import { podsOf, render, type Manifest } from './render.ts';

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Selector {
  readonly matchLabels?: Labels;
}

type Labels = Readonly<Record<string, string>>;

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly protocol: string; readonly port: number }[];
}

interface Policy extends Manifest {
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}

const COMPONENTS = ['gateway', 'console', 'control', 'host', 'temporal-namespace', 'temporal-replay'] as const;
type Component = (typeof COMPONENTS)[number];

const COMPONENT = 'app.kubernetes.io/component';
const RELEASE = { 'app.kubernetes.io/name': 'nereid', 'app.kubernetes.io/instance': 'nereid' };

const [MINIMAL = ''] = EXAMPLE_FILES;

let manifests: readonly Manifest[];
let policies: readonly Policy[];

beforeAll(async () => {
  manifests = await render([MINIMAL], {
    networkPolicies: { protectTemporal: true },
    hosts: { installSeccompProfile: false },
  });
  policies = policiesIn(manifests);
});

test('none selects every pod', () => {
  for (const { spec } of policies) expect(Object.keys(spec.podSelector.matchLabels ?? {})).not.toEqual([]);
});

test('each process has one', () => {
  const processes = manifests.filter((each) => podsOf(each).length > 0);

  expect(processes).toHaveLength(COMPONENTS.length);
  for (const { spec } of processes) {
    const { labels } = (spec as { readonly template: { readonly metadata: { readonly labels: Labels } } }).template
      .metadata;
    expect(COMPONENTS).toContain(labels[COMPONENT]);
    expect(labels).toMatchObject(RELEASE);
  }
});

test('no rule is without an end: each names who, which an empty list would leave open', () => {
  for (const { spec } of policies) {
    for (const { from } of spec.ingress ?? []) expect(from?.length).toBeGreaterThan(0);
    for (const { to } of spec.egress ?? []) expect(to?.length).toBeGreaterThan(0);
  }
});

test('what no other policy allows is forbidden to all of our pods, in both directions', () => {
  const forbidden = policies.filter(({ spec }) => spec.ingress === undefined && spec.egress === undefined);

  expect(forbidden.map(({ spec }) => spec)).toEqual([
    { podSelector: { matchLabels: RELEASE }, policyTypes: ['Ingress', 'Egress'] },
  ]);
});

test.each<[Component, readonly string[]]>([
  ['gateway', ['gateway:4143', 'metrics:9090']],
  ['console', ['console:4144', 'metrics:9090']],
  ['control', ['metrics:9090']],
  ['host', ['metrics:9090']],
  ['temporal-namespace', []],
  ['temporal-replay', []],
])('%s is reached by exactly %j', (component, expected) => {
  const rules = ofPod(component).flatMap(({ spec }) => spec.ingress ?? []);

  expect(rules.flatMap(ends)).toEqual(expected);
});

test.each<[Component, readonly string[]]>([
  ['gateway', ['names:53', 'names:53', 'frontend:7233']],
  ['console', ['names:53', 'names:53', 'frontend:7233', 'public:443', 'public:443']],
  ['control', ['names:53', 'names:53', 'frontend:7233', 'public:443', 'public:443']],
  ['host', ['names:53', 'names:53', 'frontend:7233', 'public:any', 'public:any']],
  ['temporal-namespace', ['names:53', 'names:53', 'frontend:7233']],
  ['temporal-replay', ['names:53', 'names:53', 'frontend:7233']],
])('%s reaches exactly %j', (component, expected) => {
  const rules = ofPod(component).flatMap(({ spec }) => spec.egress ?? []);

  expect(rules.flatMap(ends)).toEqual(expected);
});

test('Temporal is reached by its own pods, by these processes, and by nobody else', () => {
  const [protecting, ...more] = policies.filter(({ metadata }) => metadata.namespace === 'temporal');

  expect(more).toEqual([]);
  expect(protecting?.spec.podSelector).toEqual({ matchLabels: { [COMPONENT]: 'frontend' } });
  expect(protecting?.spec.ingress).toEqual([
    { from: [{ podSelector: {} }] },
    {
      from: [
        {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'nereid' } },
          podSelector: {
            matchLabels: RELEASE,
            matchExpressions: [{ key: COMPONENT, operator: 'In', values: [...COMPONENTS] }],
          },
        },
      ],
      ports: [{ protocol: 'TCP', port: 7233 }],
    },
  ]);
});

test('Temporal is also reached by hosts of a release of their own, where the values name their namespace', async () => {
  const hosts = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'nereid-hosts' } } };

  const wider = policiesIn(
    await render([MINIMAL], { networkPolicies: { protectTemporal: true, toTemporal: [hosts] } }),
  );

  const [protecting] = wider.filter(({ metadata }) => metadata.namespace === 'temporal');
  const [own, others, ...more] = protecting?.spec.ingress ?? [];
  expect([own, more]).toEqual([{ from: [{ podSelector: {} }] }, []]);
  expect(others?.from).toEqual([expect.objectContaining({ podSelector: expect.anything() as unknown }), hosts]);
  expect(others?.ports).toEqual([{ protocol: 'TCP', port: 7233 }]);
});

test('Temporal Cloud is reached at public addresses, at the port of its address', async () => {
  const cloud = policiesIn(
    await render([MINIMAL], {
      temporal: { address: 'a.tmprl.cloud:7234' },
      networkPolicies: { temporal: 'public', protectTemporal: true },
    }),
  );

  const rules = ofPod('gateway', cloud).flatMap(({ spec }) => spec.egress ?? []);
  expect(rules.flatMap(ends)).toEqual(['names:53', 'names:53', 'public:7234', 'public:7234']);
});

test('what a process has to reach within the company is added for that process alone', async () => {
  const rule = { to: [{ ipBlock: { cidr: '10.1.2.3/32' } }], ports: [{ protocol: 'TCP', port: 5432 }] };

  const wider = policiesIn(await render([MINIMAL], { networkPolicies: { private: { host: [rule] } } }));

  const holding = wider.filter(({ spec }) => JSON.stringify(spec.egress ?? []).includes('10.1.2.3'));
  expect(holding.map(({ metadata }) => metadata.name)).toEqual(['nereid-host']);
});

describe('public addresses', () => {
  test.each([
    ['the metadata service of AWS, Azure and Google', '169.254.169.254'],
    ['the same over IPv6', 'fd00:ec2::254'],
    ['what gives machines of Azure their keys', '168.63.129.16'],
    ['pods and services of the cluster', '10.96.0.1'],
    ['the same elsewhere', '172.20.0.1'],
    ['a company’s network', '192.168.1.1'],
    ['carrier-grade addresses, which some clusters use', '100.64.0.10'],
    ['the pod itself', '127.0.0.1'],
    ['the pod itself over IPv6', '::1'],
    ['an IPv4 address in IPv6', '::ffff:169.254.169.254'],
    ['the link', 'fe80::1'],
  ])('are not %s (%s)', (_what, address) => {
    expect(blocks().filter((block) => holds(block, address))).toEqual([]);
  });

  test.each(['140.82.112.3', '2606:50c0:8000::153'])('are those of GitHub, like %s', (address) => {
    expect(blocks().some((block) => holds(block, address))).toBe(true);
  });
});

type Block = NonNullable<Peer['ipBlock']>;

function blocks(): readonly Block[] {
  return policies
    .flatMap(({ spec }) => spec.egress ?? [])
    .flatMap(({ to = [] }) => to)
    .flatMap(({ ipBlock }) => ipBlock ?? []);
}

function holds({ cidr, except = [] }: Block, address: string): boolean {
  return isWithin(cidr, address) && !except.some((part) => isWithin(part, address));
}

function isWithin(cidr: string, address: string): boolean {
  const [net = '', prefix] = cidr.split('/');
  // Otherwise a block of IPv4 holds IPv4 addresses in IPv6 too, which a cluster does not say.
  if (isIPv6(net) !== isIPv6(address)) return false;
  const list = new BlockList();
  list.addSubnet(net, Number(prefix), isIPv6(net) ? 'ipv6' : 'ipv4');
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function policiesIn(all: readonly Manifest[]): readonly Policy[] {
  // Whether they are what Kubernetes takes, its schemas say in another test.
  return all.filter(({ kind }) => kind === 'NetworkPolicy') as readonly Policy[];
}

/** The policies that count for a pod of this component. */
function ofPod(component: Component, all = policies): readonly Policy[] {
  const labels: Labels = { ...RELEASE, [COMPONENT]: component };
  return all.filter(({ spec }) =>
    Object.entries(spec.podSelector.matchLabels ?? {}).every(([name, value]) => labels[name] === value),
  );
}

/** Each end of a rule with each of its ports. */
function ends({ from, to, ports }: Rule): readonly string[] {
  const numbers = ports?.map(({ port }) => String(port)) ?? ['any'];
  return [...(from ?? []), ...(to ?? [])].flatMap((peer) => numbers.map((port) => `${nameOf(peer)}:${port}`));
}

function nameOf({ podSelector, namespaceSelector, ipBlock }: Peer): string {
  if (ipBlock) return 'public';
  const namespace = namespaceSelector?.matchLabels ?? {};
  if (podSelector?.matchLabels?.['k8s-app'] === 'kube-dns' && 'kubernetes.io/metadata.name' in namespace)
    return 'names';
  return namespace['nereid/reaches'] ?? podSelector?.matchLabels?.[COMPONENT] ?? 'anybody';
}
