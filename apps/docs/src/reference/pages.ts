import { apiActionsPage, apiPage } from './api.ts';
import { appPermissionsPage } from './app-permissions.ts';
import { notificationsPage } from './notifications.ts';
import { verbsPage } from './verbs.ts';

/** Pages that are generated from tables of the code, by their name below `apps/docs/reference`. */
export const GENERATED_PAGES = {
  'api-actions.md': apiActionsPage,
  'api.md': apiPage,
  'app-permissions.md': appPermissionsPage,
  'notifications.md': notificationsPage,
  'verbs.md': verbsPage,
} as const;
