import { fileURLToPath } from 'node:url'
import { SECRETS } from '../support/agent-keys.ts'
import { type Contender, startContender } from './contender.ts'

const PROGRAM = fileURLToPath(new URL('stakewright-server.ts', import.meta.url))

/** Limits too high to matter. */
export const UNLIMITED = { LIMIT_IP_RPM: '100000000', LIMIT_GLOBAL_RPM: '100000000' }

/** The service with limits too high to matter. */
export const startStakewright = (
  name: string,
  env: Readonly<Record<string, string>> & { readonly DATA_DIR: string },
): Promise<Contender> => startContender(name, PROGRAM, { ...UNLIMITED, ...env })

/** The service on this data, with the secrets and the proxy that `registerAgents` and its requests assume. */
export const startOn = (
  name: string,
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Contender> =>
  startStakewright(name, { ...SECRETS, TRUST_PROXY_HOPS: '1', ...env, DATA_DIR: dataDir })
