/**
 * Who somebody is, by what they show. The console asks before it shows anything, and control asks again before it does anything: so
 * nobody becomes somebody else by taking over the console.
 */
export { createIdentify, type Identify, type IdentifyOptions } from './identify.ts';
export type { Identified, Identity } from './identity.ts';
export { ProviderUnavailableError } from './errors.ts';
export { whyNotOperator, whyTokenNotForOperators } from './operator-rules.ts';
