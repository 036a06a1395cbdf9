/** The intake workflow: one event of GitHub becomes signals. */
export { intake } from './intake.ts';
