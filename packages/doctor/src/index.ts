/**
 * Checks whether a process can work with the configuration that it has, and says for each check what was found and, if that
 * is not good, what to do. It knows nothing of the things that are checked: each process brings its checks.
 */
export type { Check, Diagnosis, Examined, Finding, Outcome } from './check.ts';
export { fail, failuresOf, ok, skip, warn } from './findings.ts';
export { diagnose } from './diagnose.ts';
export { renderDiagnosis } from './render-diagnosis.ts';
export { runDoctor, type DoctorOptions } from './run-doctor.ts';
