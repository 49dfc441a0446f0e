import type { Config } from '@stakewright/server/config.ts'
import { Misuse, type Terminal } from '../command.ts'
import { loadService } from './service-code.ts'

/** The configuration of the service, from the same variables. */
export async function readOperatorConfig(env: Terminal['env']): Promise<Config> {
  const { readConfig } = await loadService(() => import('@stakewright/server/config.ts'))
  const read = readConfig(env)
  if (read.kind === 'ok') return read.config
  throw new Misuse(['The configuration is wrong:', ...read.problems].join('\n  - '))
}
