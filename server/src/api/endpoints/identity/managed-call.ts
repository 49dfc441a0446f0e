import type { Manager } from '#domain/agents/manager.ts'
import type { User } from '#ports/stores/users.ts'

type ManagedCall = {
  readonly caller: { readonly user: User }
  readonly client: string
  readonly via: Manager['via']
}

/** The user that manages agents by this call, with address and transport. */
export const managerOf = ({ caller: { user }, client, via }: ManagedCall): Manager => ({
  user,
  client,
  via,
})

/** The warning in answers with a new key. */
export const STORE_IT = 'Store this key securely: it is not shown again.'
