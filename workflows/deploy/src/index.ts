/** The deploy workflow: the lane of one root. */
export { deploy } from './deploy.ts';
