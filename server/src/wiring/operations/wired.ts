import { hash } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Parts } from '../open-parts.ts'
import type { Runtime } from '../runtime.ts'

/** The configuration and the open adapters, from which operations are built. */
export type Wired = { readonly config: Config; readonly runtime: Runtime; readonly parts: Parts }

/** A function, because the service's own URL is known only once it listens. */
export type PublicUrl = () => string

export const digest = (text: string) => hash('sha256', text, 'hex')
