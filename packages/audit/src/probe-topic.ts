import { defined } from '@nereid/domain/defined';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import type { SnsAddress } from '@nereid/domain/trail/address';
import type { AuditOptions, ProbedAudit } from './audit.ts';

/** One attempt; somebody waits for the result. */
const LIMITS = {
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 4_000, throwOnRequestTimeout: true },
};

const CALL_MS = 5_000;

export async function probeTopic(
  { topicArn, region }: SnsAddress,
  { endpoint, region: given = region }: AuditOptions['sns'] = {},
): Promise<ProbedAudit> {
  const client = new SNSClient({ ...LIMITS, region: given, ...defined({ endpoint }) });
  try {
    await client.send(new GetTopicAttributesCommand({ TopicArn: topicArn }), {
      abortSignal: AbortSignal.timeout(CALL_MS),
    });
    return { kind: 'usable' };
  } catch (error) {
    return verdictOn(nameOf(error), topicArn);
  } finally {
    client.destroy();
  }
}

/** What the service wrote besides may hold account ids, so only the name of the error is shown. */
function verdictOn(name: string, topic: string): ProbedAudit {
  if (name.startsWith('AuthorizationError'))
    return {
      kind: 'unknown',
      sentence: `expected permission to ask for the topic ${topic}, found a refusal (${name}); allow sns:GetTopicAttributes besides sns:Publish, or see in the log whether events are recorded`,
    };
  const known = REASONS.find(({ names }) => names.test(name));
  if (known)
    return {
      kind: 'unusable',
      sentence: `expected ${known.expected} ${topic}, found ${known.found} (${name}); ${known.remedy}`,
      mayPass: false,
    };
  const sentence = `expected SNS to answer for the topic ${topic}, found that it did not (${name}); see whether this machine reaches it, and whether audit.sns names the right endpoint`;
  return { kind: 'unusable', sentence, mayPass: true };
}

const REASONS = [
  {
    names: /^NotFound/,
    expected: 'the topic',
    found: 'none of this name',
    remedy: 'create it, or correct audit.to',
  },
  {
    names: /^InvalidParameter/,
    expected: 'the topic',
    found: 'that this region knows no such name',
    remedy: 'correct audit.to and audit.sns.region',
  },
  {
    names:
      /^(ExpiredToken|InvalidClientTokenId|SignatureDoesNotMatch|UnrecognizedClient|InvalidSecurity|InvalidAccessKey)/,
    expected: 'credentials that are valid for the topic',
    found: 'expired or unknown ones',
    remedy: 'renew them, and see that the clock of this machine is right',
  },
  {
    names: /^(CredentialsProvider|TokenProvider)Error$/,
    expected: 'credentials for the topic',
    found: 'none that can be used',
    remedy: "provide a role of the machine or the pod, or AWS_ACCESS_KEY_ID and the SDK's other variables",
  },
] as const;

function nameOf(error: unknown): string {
  const name: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'name') : undefined;
  return typeof name === 'string' && /^[\w.]{1,80}$/.test(name) ? name : 'unknown reason';
}
