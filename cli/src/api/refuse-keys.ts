import { Misuse } from '../command.ts'
import type { InputFlag } from './input-flags.ts'

const KEY = /\b[a-z][a-z0-9]{1,7}_[0-9A-Za-z]{46}\b/

/** Other users of a machine can see the arguments of a program. */
export function refuseKeys(args: readonly string[], flags: readonly InputFlag[]): void {
  if (!args.some((arg) => KEY.test(arg) || /^--api-?key\b/i.test(arg))) return
  const secret = flags.find(({ isSecret }) => isSecret)
  const instead = secret
    ? `give it as JSON, { "${secret.field}": "…" }, by --input - (standard input) or --input @FILE.`
    : 'set STAKEWRIGHT_API_KEY, or save one in a profile.'
  throw new Misuse(`Keys are never arguments, which others on this machine can read: ${instead}`)
}
