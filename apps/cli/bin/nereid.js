#!/usr/bin/env node
import { withTypeScript } from '@nereid/config/with-typescript';

await withTypeScript(() => import('../src/main.ts'));
