/** The deploy workflow, and its pure parts for those who want to ask the same questions. */
export { deploy } from './deploy.ts';
