import type { Secrets } from '#ports/secrets.ts'

export type SignInRules = {
  readonly codeMs: number
  readonly codeTries: number
  readonly mailsPerAddressDay: number
}

type Digests = Pick<Secrets, 'digest'>

export function digestAddress(secrets: Digests, owner: string): string {
  return secrets.digest('address', owner)
}

/** Together with its address, so that equal codes of two people do not look alike. */
export function digestCode(secrets: Digests, owner: string, code: string): string {
  return secrets.digest('code', `${owner} ${code}`)
}
