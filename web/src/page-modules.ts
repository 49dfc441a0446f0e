import type { ComponentType } from 'preact'

/** What every file in `pages/` exports as `default`. */
export type Page = ComponentType<{ readonly params: Readonly<Record<string, string>> }>

/** Each page is fetched when it is first opened. */
export const PAGE_MODULES: Readonly<Record<string, () => Promise<{ readonly default: Page }>>> = {
  overview: () => import('./pages/overview.ts'),
  validators: () => import('./pages/validators.ts'),
  validator: () => import('./pages/validator.ts'),
  score: () => import('./pages/score.ts'),
  accuracy: () => import('./pages/accuracy.ts'),
  allocate: () => import('./pages/allocate.ts'),
  rebalance: () => import('./pages/rebalance.ts'),
  sandbox: () => import('./pages/sandbox.ts'),
  console: () => import('./pages/console.ts'),
  'second-factor': () => import('./pages/second-factor.ts'),
  agent: () => import('./pages/agent.ts'),
  approval: () => import('./pages/approval.ts'),
  docs: () => import('./pages/docs.ts'),
  guide: () => import('./pages/guide.ts'),
}
