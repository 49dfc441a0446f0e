import { type Config, readConfig } from '@stakewright/server/config.ts'
import { Misuse } from './command.ts'

/** The configuration of the service, from the same variables. */
export function readOperatorConfig(): Config {
  const read = readConfig()
  if (read.kind === 'ok') return read.config
  throw new Misuse(['The configuration is wrong:', ...read.problems].join('\n  - '))
}
