/** A deployment, as people have it at hand: its id, the address of its page, or the lane in which it runs. */
import { laneIn, type LaneArgument } from './names.ts';
import { wrongUsage } from '../exit-code.ts';

export type DeploymentArgument =
  | { readonly kind: 'id'; readonly id: string; readonly lane?: string; readonly key?: string }
  /** The beginning of an id, as tables show it. */
  | { readonly kind: 'short'; readonly beginning: string }
  /** What runs there or, where that makes sense, what ran last. */
  | { readonly kind: 'lane'; readonly lane: LaneArgument };

/** How verbs name the argument. */
export const DEPLOYMENT = 'DEPLOYMENT';

export const DEPLOYMENT_DETAILS =
  'DEPLOYMENT is an id or its first 8 digits, the address of its page, or a lane like acme/infra/network: the deployment that runs there.';

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Nobody has so many deployments at hand that two begin alike. */
const SHORT_LENGTH = 8;

export function shortId(id: string): string {
  return id.slice(0, SHORT_LENGTH);
}

export function parseDeployment(text: string): DeploymentArgument {
  if (ID.test(text)) return { kind: 'id', id: text };
  if (/^[\da-f]{8}$/.test(text)) return { kind: 'short', beginning: text };
  const lane = laneIn(text);
  if (lane) return { kind: 'lane', lane };
  const { id, query } =
    /(?:^|\/)deployments\/(?<id>[\da-f-]{36})(?:\?(?<query>[^#]*))?(?:#.*)?$/.exec(text)?.groups ?? {};
  if (id === undefined || !ID.test(id))
    throw wrongUsage(
      `expected a deployment by its id or the first ${SHORT_LENGTH} digits of it, by the address of its page, or by its lane like acme/infra/network, found ${text}`,
    );
  const parameters = new URLSearchParams(query);
  const [named, key] = [parameters.get('lane'), parameters.get('key')];
  return { kind: 'id', id, ...(named !== null && { lane: named }), ...(key !== null && { key }) };
}
