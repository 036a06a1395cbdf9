import { redeemManifestCode } from '../auth/app-manifest.ts';
import { created, notFound } from './answer.ts';
import type { Route } from './route.ts';

/** Trades the code that a person brought back for the App that they made. */
export const manifestRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/app-manifests/{code}/conversions',
    access: 'anybody',
    answer({ world, params }) {
      const app = redeemManifestCode(world, params['code'] ?? '');
      if (app === undefined) throw notFound();
      return created(app);
    },
  },
];
