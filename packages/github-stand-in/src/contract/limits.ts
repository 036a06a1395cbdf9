import type { Problem } from './problem.ts';

/** Finds problems that GitHub's description allows but GitHub refuses, according to its documentation and its answers. */
export function findBrokenLimits(operation: string, body: unknown): Problem[] {
  return (RULES[operation] ?? []).flatMap((rule) => rule(toRecord(body)));
}

type Rule = (body: Readonly<Record<string, unknown>>) => Problem[];

/** "body is too long (maximum is 65536 characters)". */
const COMMENT_LIMIT = 65_536;

/** The description's own limit counts characters; GitHub stores bytes. */
const OUTPUT_LIMIT_BYTES = 65_535;

const ANNOTATION_LIMIT_BYTES = 64 * 1024;
const ANNOTATION_TITLE_LIMIT = 255;

const requiresConclusion: Rule = ({ status, completed_at: completedAt, conclusion }) =>
  (status === 'completed' || completedAt !== undefined) && conclusion === undefined
    ? [problem('conclusion', 'is required when status is completed or completed_at is given')]
    : [];

const isAppsToSet: Rule = ({ status, conclusion }) => [
  ...(conclusion === 'stale' ? [problem('conclusion', 'stale can only be set by GitHub')] : []),
  ...(['waiting', 'requested', 'pending'].includes(String(status))
    ? [problem('status', 'can only be set by GitHub Actions')]
    : []),
];

const hasWebAddress: Rule = ({ details_url: url }) =>
  typeof url === 'string' && !/^https?:\/\//.test(url) ? [problem('details_url', 'must use http or https scheme')] : [];

const hasTitle: Rule = ({ output }) =>
  output !== undefined && typeof toRecord(output)['title'] !== 'string' ? [problem('output/title', 'is required')] : [];

const fitsOutput: Rule = ({ output }) =>
  ['summary', 'text'].flatMap((field) => {
    const text = toRecord(output)[field];
    return typeof text === 'string' && Buffer.byteLength(text) > OUTPUT_LIMIT_BYTES
      ? [problem(`output/${field}`, `must have at most ${OUTPUT_LIMIT_BYTES} bytes`)]
      : [];
  });

const fitsAnnotations: Rule = ({ output }) => {
  const annotations = toRecord(output)['annotations'];
  return (Array.isArray(annotations) ? annotations : []).flatMap((each) => {
    const { message, title } = toRecord(each);
    return [
      ...(Buffer.byteLength(String(message)) > ANNOTATION_LIMIT_BYTES
        ? [problem('output/annotations', 'message')]
        : []),
      ...(typeof title === 'string' && title.length > ANNOTATION_TITLE_LIMIT
        ? [problem('output/annotations', 'title')]
        : []),
    ];
  });
};

const fitsComment: Rule = ({ body }) => {
  if (typeof body !== 'string') return [];
  if (body.trim() === '') return [problem('body', "can't be blank")];
  return body.length > COMMENT_LIMIT ? [problem('body', `is too long (maximum is ${COMMENT_LIMIT} characters)`)] : [];
};

const ENVIRONMENT_LIMIT = 255;
const STATUS_DESCRIPTION_LIMIT = 140;

const fitsEnvironment: Rule = ({ environment = '' }) =>
  String(environment).length > ENVIRONMENT_LIMIT
    ? [problem('environment', `is too long (maximum is ${ENVIRONMENT_LIMIT} characters)`)]
    : [];

const fitsStatus: Rule = ({ description = '' }) =>
  String(description).length > STATUS_DESCRIPTION_LIMIT
    ? [problem('description', `is too long (maximum is ${STATUS_DESCRIPTION_LIMIT} characters)`)]
    : [];

const REPORT_LIMIT = 1_024;

const fitsReport: Rule = ({ comment = '' }) =>
  String(comment).length > REPORT_LIMIT
    ? [problem('comment', `is too long (maximum is ${REPORT_LIMIT} characters)`)]
    : [];

const CHECK_RUN_RULES = [requiresConclusion, isAppsToSet, hasWebAddress, hasTitle, fitsOutput, fitsAnnotations];

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  'POST /repos/{owner}/{repo}/check-runs': CHECK_RUN_RULES,
  'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}': CHECK_RUN_RULES,
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': [fitsComment],
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}': [fitsComment],
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/deployment_protection_rule': [fitsReport],
  'POST /repos/{owner}/{repo}/deployments': [fitsEnvironment],
  'POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses': [fitsEnvironment, fitsStatus],
};

function problem(field: string, message: string): Problem {
  return { field: `body/${field}`, message };
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
