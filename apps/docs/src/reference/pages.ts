import { apiPage } from './api.ts';
import { appPermissionsPage } from './app-permissions.ts';
import { verbsPage } from './verbs.ts';

/** What is generated from tables of the code, by the name of the page below `apps/docs/reference`. */
export const GENERATED_PAGES = {
  'api.md': apiPage,
  'app-permissions.md': appPermissionsPage,
  'verbs.md': verbsPage,
} as const;
