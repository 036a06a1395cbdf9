/** Loaded first by the processes of a stack: counts what they sign and verify, in a file of their working directory. */
import { webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { countsFileOf, type Counts } from './counts.ts';

const { subtle } = webcrypto;
const counts: { -readonly [Key in keyof Counts]: Counts[Key] } = { signed: 0, verified: 0 };

/** Other keys, such as that of the App, sign with other algorithms. */
function count(what: keyof Counts, algorithm: unknown): void {
  const name = typeof algorithm === 'object' && algorithm !== null && 'name' in algorithm ? algorithm.name : algorithm;
  if (name !== 'Ed25519') return;
  counts[what] += 1;
  writeFileSync(countsFileOf('.', process.pid), JSON.stringify(counts));
}

const [sign, verify] = [subtle.sign.bind(subtle), subtle.verify.bind(subtle)];
subtle.sign = (algorithm, ...others) => {
  count('signed', algorithm);
  return sign(algorithm, ...others);
};
subtle.verify = (algorithm, ...others) => {
  count('verified', algorithm);
  return verify(algorithm, ...others);
};
