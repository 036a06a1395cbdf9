/** Reads the network policies for Kubernetes as a cluster does: what none of them allows is forbidden. */
import { BlockList, isIPv6 } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { readRepositoryFile } from './repository.ts';

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly protocol: string; readonly port: number }[];
}

interface Policy {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}

const COMPONENTS = ['gateway', 'console', 'control', 'terraform'] as const;
const COMPONENT = 'app.kubernetes.io/component';
const PART_OF = 'app.kubernetes.io/part-of';

let policies: readonly Policy[];

beforeAll(async () => {
  const documents = parseAllDocuments(await readRepositoryFile('.config/production/network-policies.yaml'));
  policies = documents.map((document) => document.toJS() as Policy); // The first test checks that they are.
});

test('all are policies with names of their own, and none selects every pod', () => {
  for (const { apiVersion, kind, spec } of policies) {
    expect([apiVersion, kind]).toEqual(['networking.k8s.io/v1', 'NetworkPolicy']);
    expect(Object.keys(spec.podSelector.matchLabels ?? {})).not.toEqual([]);
  }
  expect(new Set(policies.map(({ metadata }) => metadata.name)).size).toBe(policies.length);
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
    { podSelector: { matchLabels: { [PART_OF]: 'nereid' } }, policyTypes: ['Ingress', 'Egress'] },
  ]);
});

test.each<[(typeof COMPONENTS)[number], readonly string[]]>([
  ['gateway', ['gateway:4143', 'metrics:9090']],
  ['console', ['console:4144', 'metrics:9090']],
  ['control', ['metrics:9090']],
  ['terraform', ['metrics:9090']],
])('%s is reached by exactly %j', (component, expected) => {
  const rules = ofPod(component).flatMap(({ spec }) => spec.ingress ?? []);

  expect(rules.flatMap(ends)).toEqual(expected);
});

test.each<[(typeof COMPONENTS)[number], readonly string[]]>([
  ['gateway', ['names:53', 'names:53', 'temporal:7233']],
  ['console', ['names:53', 'names:53', 'temporal:7233', 'public:443', 'public:443']],
  ['control', ['names:53', 'names:53', 'temporal:7233', 'public:443', 'public:443']],
  ['terraform', ['names:53', 'names:53', 'temporal:7233', 'public:any', 'public:any']],
])('%s reaches exactly %j', (component, expected) => {
  const rules = ofPod(component).flatMap(({ spec }) => spec.egress ?? []);

  expect(rules.flatMap(ends)).toEqual(expected);
});

test('Temporal is reached by our four processes and nobody else', () => {
  const [rule, ...more] = policies
    .filter(({ spec }) => spec.podSelector.matchLabels?.[COMPONENT] === 'temporal')
    .flatMap(({ spec }) => spec.ingress ?? []);

  expect(more).toEqual([]);
  expect(rule?.from).toEqual([
    {
      podSelector: {
        matchLabels: { [PART_OF]: 'nereid' },
        matchExpressions: [{ key: COMPONENT, operator: 'In', values: [...COMPONENTS] }],
      },
    },
  ]);
  expect(rule?.ports).toEqual([{ protocol: 'TCP', port: 7233 }]);
});

describe('public addresses', () => {
  test.each([
    ['the metadata service of AWS, Azure and Google', '169.254.169.254'],
    ['the same over IPv6', 'fd00:ec2::254'],
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

/** The policies that count for a pod of this component. */
function ofPod(component: string): readonly Policy[] {
  const labels: Readonly<Record<string, string>> = { [PART_OF]: 'nereid', [COMPONENT]: component };
  return policies.filter(({ spec }) =>
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
