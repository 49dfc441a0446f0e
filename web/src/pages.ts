/**
 * Every page of the web app: plain data, shared by the router here and by the server, which answers each of these
 * paths with the same document. Parameters are in braces.
 */
export type PageRow = {
  readonly path: string
  /** Its file in `pages/`. */
  readonly module: string
  readonly title: string
  /** Its name in the navigation, if it is there. */
  readonly nav?: string
  /** The entry of the navigation that the page belongs to, if its path does not show it. */
  readonly under?: string
}

export const PAGES = [
  { path: '/', module: 'overview', title: 'Overview', nav: 'Overview' },
  { path: '/validators', module: 'validators', title: 'Validators', nav: 'Validators' },
  { path: '/validators/{id}', module: 'validator', title: 'Validator' },
  { path: '/score', module: 'score', title: 'How the score is made' },
  { path: '/accuracy', module: 'accuracy', title: 'How good the projections are' },
  { path: '/allocate', module: 'allocate', title: 'Allocate', nav: 'Allocate' },
  { path: '/rebalance', module: 'rebalance', title: 'Rebalance', nav: 'Rebalance' },
  { path: '/sandbox', module: 'sandbox', title: 'Sandbox', nav: 'Sandbox' },
  { path: '/console', module: 'console', title: 'Console', nav: 'Console' },
  { path: '/console/second-factor', module: 'second-factor', title: 'Second factor' },
  { path: '/console/{id}', module: 'agent', title: 'Agent' },
  { path: '/approve', module: 'approval', title: 'Approvals', under: '/console' },
  { path: '/approve/{agent}/{approval}', module: 'approval', title: 'Approval', under: '/console' },
  { path: '/docs', module: 'docs', title: 'API reference', nav: 'Docs' },
  { path: '/docs/{page}', module: 'guide', title: 'Guide' },
] as const satisfies readonly PageRow[]

export const approvalPath = (agentId: string, approvalId: string): string =>
  `/approve/${agentId}/${approvalId}`
