import { hash } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Parts } from '../open-parts.ts'
import type { Runtime } from '../runtime.ts'

/** The configuration and everything that is open: what operations are built from. */
export type Wired = { readonly config: Config; readonly runtime: Runtime; readonly parts: Parts }

/** The service's own URL is known only once it listens, so it is asked for. */
export type PublicUrl = () => string

export const digest = (text: string) => hash('sha256', text, 'hex')
